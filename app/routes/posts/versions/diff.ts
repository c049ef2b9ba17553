import { diffWordsWithSpace } from 'diff';

/** A piece of one of two texts, and whether the other has it too. */
export type Piece = { text: string; isOnlyHere: boolean };

/** Texts that differ more are shown as a whole: the time it takes grows with what differs. */
const MOST_EDITS = 320;

const plain = (text: string): Piece[] => (text === '' ? [] : [{ text, isOnlyHere: false }]);

/** The words of a piece are marked, not the space around them. */
function markWords(text: string): Piece[] {
  const words = text.trim();
  if (words === '') return plain(text);
  const begin = text.indexOf(words);
  const after = text.slice(begin + words.length);
  return [...plain(text.slice(0, begin)), { text: words, isOnlyHere: true }, ...plain(after)];
}

/** Words that are marked one after the other are marked as one, with what separates them in their line. */
function joinWords(pieces: Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const [before, between] = joined.slice(-2);
    if (piece.isOnlyHere && before?.isOnlyHere && between && /^[^\S\n]+$/.test(between.text)) {
      joined.splice(-2, 2, { text: before.text + between.text + piece.text, isOnlyHere: true });
    } else joined.push(piece);
  }
  return joined;
}

/** Two texts in pieces of whole words, to be shown side by side. */
export function compareTexts(one: string, other: string): { one: Piece[]; other: Piece[] } {
  const changes = diffWordsWithSpace(one, other, { maxEditLength: MOST_EDITS }) ?? [
    { value: one, removed: true, added: false },
    { value: other, removed: false, added: true },
  ];
  const pieces = (isOnly: 'removed' | 'added', isNever: 'removed' | 'added') =>
    joinWords(
      changes
        .filter((change) => !change[isNever])
        .flatMap((change) => (change[isOnly] ? markWords(change.value) : plain(change.value))),
    );
  return { one: pieces('removed', 'added'), other: pieces('added', 'removed') };
}
