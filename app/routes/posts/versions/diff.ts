import { diffWordsWithSpace } from 'diff';

/** A piece of a text, and whether the compared text lacks it. */
export type Piece = { text: string; isOnlyHere: boolean };

/** Texts that differ more are shown as a whole: comparing takes longer the more they differ. */
const MAX_EDITS = 320;

const plain = (text: string): Piece[] => (text === '' ? [] : [{ text, isOnlyHere: false }]);

/** Marks the words of a piece, not the space around them. */
function markWords(text: string): Piece[] {
  const words = text.trim();
  if (words === '') return plain(text);
  const start = text.indexOf(words);
  const after = text.slice(start + words.length);
  return [...plain(text.slice(0, start)), { text: words, isOnlyHere: true }, ...plain(after)];
}

/** Joins marked words that follow each other in a line, with the space between them. */
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

export function compareTexts(one: string, other: string): { one: Piece[]; other: Piece[] } {
  const changes = diffWordsWithSpace(one, other, { maxEditLength: MAX_EDITS }) ?? [
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
