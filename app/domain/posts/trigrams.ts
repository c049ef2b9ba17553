/** Letters, marks and digits as their lower case; 0 for what parts words. */
let letters: Uint16Array | undefined;

function lettersOf(): Uint16Array {
  if (letters) return letters;
  letters = new Uint16Array(65_536);
  for (let code = 0; code < letters.length; code += 1) {
    const char = String.fromCharCode(code);
    // Halves of a pair stand for letters of rare scripts, and for emoji, which count as little as a letter.
    if (/[\p{L}\p{M}\p{N}\p{Cs}]/u.test(char)) letters[code] = char.toLowerCase().charCodeAt(0);
  }
  return letters;
}

const BITS = 18;
const SLOTS = 1 << BITS;

/** Where three units in a row are counted: nearly one place for each that a text can have. */
const slotOf = (a: number, b: number, c: number): number =>
  (Math.imul(Math.imul(Math.imul(a, 31) + b, 0x9e37_79b1) + c, 0x85eb_ca6b) >>> (32 - BITS)) as number;

/** Calls back with the place of each trigram of each word, with two spaces before it and one after, as pg_trgm has them. */
function eachTrigram(text: string, call: (slot: number) => void): void {
  const table = lettersOf();
  let [a, b] = [0, 0];
  for (let at = 0; at <= text.length; at += 1) {
    const unit = at < text.length ? table[text.charCodeAt(at)]! : 0;
    if (unit !== 0 || b !== 0) call(slotOf(a, b, unit));
    [a, b] = unit === 0 ? [0, 0] : [b, unit];
  }
}

/**
 * How near the nearest of many texts comes to one, 0 to 1: trigrams that both have among those that either has, as
 * pg_trgm counts it. Letters of every script count, whatever the locale of the database.
 */
export function nearestOf(text: string, others: string[]): number {
  // What a place was last seen in: 0 is the text itself once `own` says so.
  const own = new Uint8Array(SLOTS);
  const seen = new Int32Array(SLOTS).fill(-1);
  let count = 0;
  eachTrigram(text, (slot) => {
    if (own[slot] === 0) count += 1;
    own[slot] = 1;
  });
  let nearest = 0;
  others.forEach((other, index) => {
    let [size, shared] = [0, 0];
    eachTrigram(other, (slot) => {
      if (seen[slot] === index) return;
      seen[slot] = index;
      size += 1;
      shared += own[slot]!;
    });
    const all = count + size - shared;
    if (all > 0) nearest = Math.max(nearest, shared / all);
  });
  return nearest;
}
