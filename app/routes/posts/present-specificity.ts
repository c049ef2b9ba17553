import type { StoredSpecificity } from '#app/domain/writing/generate/brief-store.ts';

/** Below this score the page suggests adding facts. */
const LOW = 60;

const NO_FACT = 'No fact of yours says this. Please check that it is true.';

/**
 * Explains how specific a text is, and lists its claims about the author that no fact supports. The stored score is
 * about the text as it was written: after an edit the labels say so, and claims that were removed are left out.
 */
export function presentSpecificity(current: string, specificity: StoredSpecificity | undefined) {
  if (!specificity) return null;
  const { content, score, reasons, claims } = specificity;
  const unsupported = new Set(
    claims.flatMap(({ text, factId }) =>
      factId === null && (current === content || current.includes(text)) ? [text] : [],
    ),
  );
  if (reasons.length === 0 && unsupported.size === 0) return null;
  const words = `${current === content ? 'Specific' : 'As it was written, specific'}: ${score} of 100`;
  return {
    said: reasons.length === 0 ? null : [words, ...reasons].join(' · '),
    more:
      score < LOW && claims.every(({ factId }) => factId === null)
        ? { to: '/app/voice/facts', label: 'Add facts to be more specific' }
        : null,
    doubts: [...unsupported].map((quote) => ({ quote, why: NO_FACT })),
  };
}
