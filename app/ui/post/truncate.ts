import { HOOK_LINES, HOOK_MAX } from '#app/domain/posts/limits.ts';

const WIDE = HOOK_MAX / HOOK_LINES;
const NARROW = 45;

const rowsOf = (line: string, perLine: number) => Math.max(1, Math.ceil(line.length / perLine));

/**
 * Returns how many characters LinkedIn shows before "…more", or null if it shows the whole text. LinkedIn truncates by
 * rendered lines, so this is approximate: never inside a word or after a blank line.
 */
export function foldAt(text: string, perLine = WIDE): number | null {
  let rowsLeft = HOOK_LINES;
  let offset = 0;
  for (const line of text.split('\n')) {
    const rows = rowsOf(line, perLine);
    if (rows > rowsLeft) return hookEnd(text, offset + rowsLeft * perLine);
    rowsLeft -= rows;
    offset += line.length + 1;
  }
  return null;
}

function hookEnd(text: string, offset: number): number | null {
  const before = text.slice(0, offset);
  const isInWord = /^\S/.test(text.slice(offset)) && /\S$/.test(before);
  const words = isInWord ? before.replace(/\s\S*$/, '') : before;
  const hook = words.trimEnd();
  return text.slice(hook.length).trim() === '' ? null : hook.length;
}

/** How many lines are shown before "…more": fewer than LinkedIn shows if the last one would be blank. */
export function linesBefore(text: string, perLine = WIDE): number {
  const fold = foldAt(text, perLine);
  if (fold === null) return HOOK_LINES;
  const lines = text.slice(0, fold).split('\n');
  return lines.reduce((sum, line) => sum + rowsOf(line, perLine), 0);
}

export const visibleLines = (text: string) => ({
  wide: linesBefore(text),
  narrow: linesBefore(text, NARROW),
});

/** Where a text is truncated: nowhere, on phones only, or everywhere. */
export function foldsOn(text: string): 'none' | 'narrow' | 'all' {
  if (foldAt(text) !== null) return 'all';
  return foldAt(text, NARROW) === null ? 'none' : 'narrow';
}
