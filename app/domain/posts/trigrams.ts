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

/** Three units in a row as one number of 32 bits, each as likely as any other. */
function hashOf(a: number, b: number, c: number): number {
  let hash = Math.imul((a << 10) ^ (b << 5) ^ c, 0x9e37_79b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85eb_ca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** The trigrams of the words of a text: as in pg_trgm two spaces stand before each word and one after it. */
function hashesOf(text: string): Uint32Array {
  const table = lettersOf();
  const hashes = new Uint32Array(text.length + 1);
  let [a, b, count] = [0, 0, 0];
  for (let at = 0; at <= text.length; at += 1) {
    const unit = at < text.length ? table[text.charCodeAt(at)]! : 0;
    if (unit !== 0 || b !== 0) {
      hashes[count] = hashOf(a, b, unit);
      count += 1;
    }
    a = unit === 0 ? 0 : b;
    b = unit;
  }
  return hashes.subarray(0, count);
}

const PLACES = 1 << 16;
/** Where a trigram is counted: of a thousand, a few share a place with another. */
const placeOf = (hash: number) => hash >>> 16;

/**
 * How near the nearest of many texts comes to one, 0 to 1: trigrams that both have among those that either has, as
 * pg_trgm counts it. Letters of every script count, whatever the locale of the database.
 */
export function nearestOf(text: string, others: string[]): number {
  const isOwn = new Uint8Array(PLACES);
  let size = 0;
  for (const hash of hashesOf(text)) {
    size += 1 - isOwn[placeOf(hash)]!;
    isOwn[placeOf(hash)] = 1;
  }
  // In which round a place was last met.
  const seen = new Uint32Array(PLACES);
  let nearest = 0;
  others.forEach((other, index) => {
    let [shared, all] = [0, size];
    for (const hash of hashesOf(other)) {
      const place = placeOf(hash);
      if (seen[place] === index + 1) continue;
      seen[place] = index + 1;
      if (isOwn[place]) shared += 1;
      else all += 1;
    }
    if (all > 0) nearest = Math.max(nearest, shared / all);
  });
  return nearest;
}

const HEAP_BITS = 8;
const HEAPS = 1 << HEAP_BITS;
/** Two least hashes that differ are told apart but for once in so many times. */
const TOLD_APART = 15;

/** Of the least hash in a heap, from 1 on; 0 where there is none. */
const markOf = (least: number | undefined) => (least === undefined ? 0 : 1 + (least % TOLD_APART));

/**
 * A text in 128 bytes: its trigrams lie in so many heaps, and four bits are kept of the least hash in each. Of the heaps
 * in which either of two texts has something, as large a part has the same, give or take a little, as of their trigrams
 * (MinHash with one permutation). Sketches are stored: whoever changes how they are made has to empty them all.
 */
export function sketchOf(text: string): Buffer {
  const least = new Map<number, number>();
  for (const hash of hashesOf(text)) {
    const heap = hash >>> (32 - HEAP_BITS);
    if (hash < (least.get(heap) ?? Number.POSITIVE_INFINITY)) least.set(heap, hash);
  }
  const marks = Array.from({ length: HEAPS }, (_, heap) => markOf(least.get(heap)));
  return Buffer.from(
    Uint8Array.from({ length: HEAPS / 2 }, (_, at) => marks[2 * at]! | (marks[2 * at + 1]! << 4)),
  );
}

/** How many of so many heaps are the same in texts that are just as near, at least: of three million such texts but one. */
const fewestSame = (heaps: number, nearness: number) =>
  heaps * nearness - 5 * Math.sqrt(heaps * nearness * (1 - nearness));

/** How many of the two marks in a byte are 0. */
const ZEROS = Uint8Array.from({ length: 256 }, (_, byte) => Number(byte < 16) + Number(byte % 16 === 0));

/** Whether texts with these sketches can be as near as `least`, 0 to 1. Of texts that have little in common few can. */
export function canBeNear(one: Buffer, other: Buffer, least: number): boolean {
  let [same, empty] = [0, 0];
  for (let at = 0; at < one.length; at += 1) {
    const [a, b] = [one[at]!, other[at]!];
    same += ZEROS[a ^ b]!;
    empty += ZEROS[a | b]!;
  }
  return same - empty >= fewestSame(HEAPS - empty, least);
}
