import type { Gate } from '#app/domain/writing/gates/gate.ts';
import { asWritten, fold, foundAt, LETTERS, runsOf } from '#app/domain/writing/gates/language/word-forms.ts';
import { quote } from '#app/domain/writing/gates/quote.ts';
import { STOCK_DE } from './de.ts';
import { STOCK_EN } from './en.ts';
import { STOCK_ES } from './es.ts';
import { STOCK_FR } from './fr.ts';
import { STOCK_HI } from './hi.ts';
import type { StockPhrase } from './phrases.ts';

/** All lists apply to all languages: German posts have English phrases. */
export const STOCK_PHRASES: StockPhrase[] = [...STOCK_EN, ...STOCK_DE, ...STOCK_ES, ...STOCK_FR, ...STOCK_HI];

const EDGE = `(?![${LETTERS}0-9\\u0966-\\u096f])`;

function sourceOf(phrase: string): string {
  const source = fold(phrase)
    .replace(/[.?+^$()[\]{}|\\]/g, '\\$&')
    .replace(/(?<=\S)\*/g, `[${LETTERS}]*`)
    .replace(/ \* /g, ' (?:\\S+ ){1,4}')
    .replace(/ /g, '\\s+');
  return /[\p{L}\p{M}]$/u.test(phrase) ? `${source}${EDGE}` : source;
}

/** A phrase is only matched at words with the same first letters, for speed. */
const PREFIX_LENGTH = 2;
const BY_PREFIX = new Map(
  [...Map.groupBy(STOCK_PHRASES, ({ phrase }) => fold(phrase).slice(0, PREFIX_LENGTH))].map(
    ([prefix, phrases]) => [prefix, new RegExp(phrases.map(({ phrase }) => sourceOf(phrase)).join('|'), 'y')],
  ),
);

function* stockIn(folded: string): Generator<string> {
  let end = 0;
  const runs = runsOf(folded);
  for (let at = 0; at < runs.length; at += 2) {
    const index = folded[runs[at]! - 1] === '¿' ? runs[at]! - 1 : runs[at]!;
    const phrases = BY_PREFIX.get(folded.slice(index, index + PREFIX_LENGTH));
    if (phrases === undefined || index < end) continue;
    const found = foundAt(phrases, folded, index);
    if (found === undefined) continue;
    end = index + found.length;
    yield found;
  }
}

const stock: Gate = {
  name: 'stock',
  find: ({ content, folded, foldedInput }) => {
    // The user may use such words literally: a joiner's cutting edge.
    const found = stockIn(folded).find((phrase) => !foldedInput.includes(phrase));
    if (found === undefined) return undefined;
    const quoted = asWritten(content, found, folded);
    return {
      forWriter: `It uses the stock phrase ${quote(quoted)}; say what is meant, in words of the trade.`,
      forUser: `It used a worn phrase: “${quoted}”`,
    };
  },
};

export const STOCK_GATES: Gate[] = [stock];
