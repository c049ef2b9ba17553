import type { Gate } from '#app/domain/writing/gates/gate.ts';
import { asWritten, fold } from '#app/domain/writing/gates/language/word-forms.ts';
import type { ParsedDraft, Statement } from '#app/domain/writing/gates/parsed-draft.ts';
import { quote } from '#app/domain/writing/gates/quote.ts';
import { EVIDENCE, HYPOTHETICAL } from './hearsay-patterns.ts';
import { factsFor, isFromUser, isSupported } from './known-facts.ts';
import { findIn, tellsOfPast } from './past-tense.ts';

/** Returns a person or a result in a sentence. Sentences about the author are left to the gate `story`. */
function findWitness({ context }: ParsedDraft, statement: Statement): string | undefined {
  const found = findIn(EVIDENCE, statement, context.language);
  if (found === undefined || tellsOfPast(statement, context.language)) return undefined;
  const before = statement.folded.slice(0, Math.max(0, statement.folded.indexOf(fold(found))));
  return HYPOTHETICAL.test(before) ? undefined : asWritten(statement.sentence, fold(found));
}

const evidence: Gate = {
  name: 'evidence',
  find: (text) => {
    for (const statement of text.statements) {
      const { sentence } = statement;
      const found = findWitness(text, statement);
      if (found === undefined || isFromUser(text, sentence)) continue;
      if (isSupported(text, sentence, factsFor(text, sentence))) continue;
      return {
        forWriter: `It calls upon somebody or a result that no fact gives: ${quote(sentence)} Say it without the example, or as something that anybody can try.`,
        forUser: `It called upon an example that you did not give: “${found}”`,
      };
    }
    return undefined;
  },
};

export const EVIDENCE_GATES: Gate[] = [evidence];
