import { diffWordsWithSpace } from 'diff';

/** A piece of one of two texts, and whether the other has it too. */
export type Piece = { text: string; isOnlyHere: boolean };

/** Texts that differ more are shown as a whole: the time it takes grows with what differs. */
const MOST_EDITS = 320;

/** Two texts in pieces of whole words, to be shown side by side. */
export function compareTexts(one: string, other: string): { one: Piece[]; other: Piece[] } {
  const changes = diffWordsWithSpace(one, other, { maxEditLength: MOST_EDITS }) ?? [
    { value: one, removed: true, added: false },
    { value: other, removed: false, added: true },
  ];
  const pieces = (isOnly: 'removed' | 'added', isNever: 'removed' | 'added') =>
    changes
      .filter((change) => !change[isNever])
      .map((change) => ({
        text: change.value,
        isOnlyHere: Boolean(change[isOnly]) && change.value.trim() !== '',
      }));
  return { one: pieces('removed', 'added'), other: pieces('added', 'removed') };
}
