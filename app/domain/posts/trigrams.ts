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

const BITS = 16;
const PLACES = 1 << BITS;

/** Where three units in a row are counted: of a thousand, a few share a place with another. */
const placeOf = (a: number, b: number, c: number): number =>
  Math.imul((a << 10) ^ (b << 5) ^ c, 0x9e37_79b1) >>> (32 - BITS);

type Counted = { size: number; shared: number };

/**
 * Counts the different trigrams of the words of a text, and those among them that `own` has. As in pg_trgm two spaces
 * stand before each word and one after it. `seen` remembers in which round a place was last met. Stops where more than
 * `mostForeign` of them are not in `own`.
 */
function countIn(
  text: string,
  seen: Uint16Array,
  round: number,
  own: Uint16Array,
  mostForeign = Number.POSITIVE_INFINITY,
): Counted {
  const table = lettersOf();
  let [a, b] = [0, 0];
  let [size, shared] = [0, 0];
  for (let at = 0; at <= text.length; at += 1) {
    const unit = at < text.length ? table[text.charCodeAt(at)]! : 0;
    if (unit !== 0 || b !== 0) {
      const place = placeOf(a, b, unit);
      if (seen[place] !== round) {
        seen[place] = round;
        size += 1;
        shared += own[place]!;
        if (size - shared > mostForeign) break;
      }
    }
    a = unit === 0 ? 0 : b;
    b = unit;
  }
  return { size, shared };
}

/**
 * How near the nearest of many texts comes to one, 0 to 1: trigrams that both have among those that either has, as
 * pg_trgm counts it. Letters of every script count, whatever the locale of the database. What is less than `least` is
 * told as anything less: a text with so many other trigrams is not read to its end.
 */
export function nearestOf(text: string, others: string[], least = 0): number {
  const own = new Uint16Array(PLACES);
  const { size } = countIn(text, own, 1, own);
  const mostForeign = size * (1 / least - 1);
  const seen = new Uint16Array(PLACES);
  let nearest = 0;
  others.forEach((other, index) => {
    const round = (index % 65_535) + 1;
    if (round === 1) seen.fill(0);
    const { size: otherSize, shared } = countIn(other, seen, round, own, mostForeign);
    const all = size + otherSize - shared;
    if (all > 0) nearest = Math.max(nearest, shared / all);
  });
  return nearest;
}
