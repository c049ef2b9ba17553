import type { Gate } from '#app/domain/writing/gates/gate.ts';
import { asWritten, fold } from '#app/domain/writing/gates/language/word-forms.ts';
import type { ParsedDraft, Statement } from '#app/domain/writing/gates/parsed-draft.ts';
import { quote } from '#app/domain/writing/gates/quote.ts';
import { factsFor, isFromUser, isSupported } from './known-facts.ts';
import { findIn, tells } from './past-tense.ts';
import { EVIDENCE, THOUGHT_UP } from './witnesses.ts';

/** Somebody in a sentence whom nobody gave, or a result of theirs; what is told of the author is another matter. */
function witnessIn({ context }: ParsedDraft, said: Statement): string | undefined {
  const found = findIn(EVIDENCE, said, context.language);
  if (found === undefined || tells(said, context.language)) return undefined;
  const before = said.folded.slice(0, Math.max(0, said.folded.indexOf(fold(found))));
  return THOUGHT_UP.test(before) ? undefined : asWritten(said.sentence, fold(found));
}

const evidence: Gate = {
  name: 'evidence',
  find: (text) => {
    for (const said of text.statements) {
      const found = witnessIn(text, said);
      if (found === undefined || isFromUser(text, said.sentence)) continue;
      if (isSupported(text, said.sentence, factsFor(text, said.sentence))) continue;
      return {
        forWriter: `It calls upon somebody or a result that no fact gives: ${quote(said.sentence)} Say it without the example, or as something that anybody can try.`,
        forUser: `It called upon an example that you did not give: “${found}”`,
      };
    }
    return undefined;
  },
};

export const EVIDENCE_GATES: Gate[] = [evidence];
