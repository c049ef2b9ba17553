import pg from 'pg';

/** date and date[], and as what they are read: text and text[]. */
const READ_AS = new Map([
  [1082, 25],
  [1182, 1009],
]);
const [INSTANT, TEXTS] = [1184, 1009];
const ZERO = '0'.charCodeAt(0);
const [DASH, DOT, BRACE] = ['-', '.', '{'].map((sign) => sign.charCodeAt(0));

const instant = pg.types.getTypeParser(INSTANT, 'text') as (text: string) => Date;
const texts = pg.types.getTypeParser(TEXTS, 'text') as (text: string) => string[];

/**
 * "2026-01-05 09:30:00.25+00" as a Date. The driver takes each apart by expressions, which of a list of posts costs more than
 * to write it down as JSON. Years before 1000 and after 9999 and other zones are left to it.
 */
function instantOf(text: string): Date {
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(0) === ZERO || !text.endsWith('+00'))
    return instant(text);
  const digit = (at: number) => text.charCodeAt(at) - ZERO;
  const two = (at: number) => digit(at) * 10 + digit(at + 1);
  const end = text.length - 3;
  let ms = 0;
  if (text.charCodeAt(19) === DOT) {
    for (let at = 20, worth = 100; at < end && worth >= 1; at += 1, worth /= 10) ms += digit(at) * worth;
  }
  const year = two(0) * 100 + two(2);
  return new Date(Date.UTC(year, two(5) - 1, two(8), two(11), two(14), two(17), ms));
}

/** {a,b}: what has quotes in it, or what may be a null, is the driver's to read. */
function textsOf(text: string): string[] {
  if (text === '{}') return [];
  if (text.charCodeAt(0) !== BRACE || /["\\]|NULL|^\{\{/.test(text)) return texts(text);
  return text.slice(1, -1).split(',');
}

const OURS = new Map<number, (text: string) => unknown>([
  [INSTANT, instantOf],
  [TEXTS, textsOf],
]);

/** How values are read. A calendar day stays the text YYYY-MM-DD: as a Date it would move with the zone of the process. */
export const values: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: unknown) => {
    const type = READ_AS.get(oid) ?? oid;
    return (format !== 'binary' && OURS.get(type)) || pg.types.getTypeParser(type, format as 'text');
  },
};
