import { HOOK_LINES, HOOK_MAX } from '#app/domain/posts/limits.ts';

const WIDE = HOOK_MAX / HOOK_LINES;
/** A phone shows about as many characters in a line. */
const NARROW = 45;

/**
 * Where LinkedIn folds a text, as the number of characters before "…more", or null when it shows all of it. It
 * folds by rendered lines, so this is near the place: never inside a word or after a blank line.
 */
export function foldAt(text: string, perLine = WIDE): number | null {
  let [left, at] = [HOOK_LINES, 0];
  for (const line of text.split('\n')) {
    const rows = Math.max(1, Math.ceil(line.length / perLine));
    if (rows > left) return endOf(text, at + left * perLine);
    left -= rows;
    at += line.length + 1;
  }
  return null;
}

function endOf(text: string, at: number): number | null {
  const before = text.slice(0, at);
  const isInWord = /^\S/.test(text.slice(at)) && /\S$/.test(before);
  const words = isInWord ? before.replace(/\s\S*$/, '') : before;
  const hook = words.trimEnd();
  return text.slice(hook.length).trim() === '' ? null : hook.length;
}

/** How many lines of a text are shown before it is opened: fewer than LinkedIn shows where the last would be blank. */
export function linesBefore(text: string, perLine = WIDE): number {
  const at = foldAt(text, perLine);
  if (at === null) return HOOK_LINES;
  const rows = text
    .slice(0, at)
    .split('\n')
    .map((line) => Math.max(1, Math.ceil(line.length / perLine)));
  return rows.reduce((sum, count) => sum + count);
}

/** The lines shown on a desktop and on a phone. */
export const visibleLines = (text: string) => ({
  wide: linesBefore(text),
  narrow: linesBefore(text, NARROW),
});

/** On which widths a text is folded: never, on phones, or everywhere. */
export function foldsOn(text: string): 'none' | 'narrow' | 'all' {
  if (foldAt(text) !== null) return 'all';
  return foldAt(text, NARROW) === null ? 'none' : 'narrow';
}
