import type { Gate } from '#app/domain/writing/gates/gate.ts';
import { factsFor, isFromUser, isSupported } from './known-facts.ts';
import { tellsOfPast } from './past-tense.ts';

const unsupportedMessage = (sentence: string, named: number[]) => {
  const quoted = sentence.slice(0, 120);
  return named.length === 0
    ? `It tells something of the author that no fact says: "${quoted}" Leave it out, or name the fact in the claims, but only if that fact really says so.`
    : `Its claims name fact ${named.join(' and ')} for "${quoted}", which the fact does not say. Leave it out; tell it only if fact ${named.join(' or ')} really says so, with the words and years of the fact.`;
};

const story: Gate = {
  name: 'story',
  find: (text) => {
    for (const each of text.statements) {
      const { sentence } = each;
      if (!tellsOfPast(each, text.context.language) || isFromUser(text, sentence)) continue;
      const named = factsFor(text, sentence);
      if (isSupported(text, sentence, named)) continue;
      return {
        forWriter: unsupportedMessage(sentence, named),
        forUser: 'It told something about you that none of your facts says',
      };
    }
    return undefined;
  },
};

const claimedFacts: Gate = {
  name: 'claimed-facts',
  find: ({ draft, context }) =>
    draft.claims.some(
      ({ fact }) => fact !== null && (!Number.isInteger(fact) || fact < 1 || fact > context.facts.length),
    )
      ? {
          forWriter: `A claim names a fact that does not exist; the facts have the numbers 1 to ${context.facts.length}.`,
          forUser: 'It called upon a fact that you have not written down',
        }
      : undefined,
};

export const CLAIM_GATES: Gate[] = [story, claimedFacts];
