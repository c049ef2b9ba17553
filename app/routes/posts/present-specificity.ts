import type { StoredSpecificity } from '#app/domain/writing/generate/brief-store.ts';

/** Below it a fact makes the most of a difference. */
const LOW = 60;

const NO_FACT = 'No fact of yours says this. Please check that it is true.';

/**
 * How concrete a text is, and why, and what it says of its author that no fact of theirs says. Null when that is not
 * known. Of a text that was changed since, it is told how it was written.
 */
export function presentSpecific(now: string, known: StoredSpecificity | undefined) {
  if (!known) return null;
  const { content, score, reasons, claims } = known;
  const unproved = new Set(
    claims.flatMap(({ text, factId }) =>
      factId === null && (now === content || now.includes(text)) ? [text] : [],
    ),
  );
  if (reasons.length === 0 && unproved.size === 0) return null;
  const words = `${now === content ? 'Specific' : 'As it was written, specific'}: ${score} of 100`;
  return {
    said: reasons.length === 0 ? null : [words, ...reasons].join(' · '),
    more:
      score < LOW && claims.every(({ factId }) => factId === null)
        ? { to: '/app/voice/facts', label: 'Add facts to be more specific' }
        : null,
    doubts: [...unproved].map((quote) => ({ quote, why: NO_FACT })),
  };
}
