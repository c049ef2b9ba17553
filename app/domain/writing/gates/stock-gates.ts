import type { StockPhrase } from '../stock/stock.ts';
import { STOCK_DE } from '../stock/stock-de.ts';
import { STOCK_EN } from '../stock/stock-en.ts';
import { STOCK_ES } from '../stock/stock-es.ts';
import { STOCK_FR } from '../stock/stock-fr.ts';
import { STOCK_HI } from '../stock/stock-hi.ts';
import type { Gate } from './gate.ts';
import { asWritten, fold } from './word-forms.ts';

/** Every list holds for every language: English phrases stand in German posts. */
export const STOCK_PHRASES: StockPhrase[] = [...STOCK_EN, ...STOCK_DE, ...STOCK_ES, ...STOCK_FR, ...STOCK_HI];

const EDGE = '(?![\\p{L}\\p{M}\\p{N}])';

function sourceOf(phrase: string): string {
  const source = fold(phrase)
    .replace(/[.?+^$()[\]{}|\\]/g, '\\$&')
    .replace(/(?<=\S)\*/g, '[\\p{L}\\p{M}]*')
    .replace(/ \* /g, ' (?:\\S+ ){1,4}')
    .replace(/ /g, '\\s+');
  return /[\p{L}\p{M}]$/u.test(phrase) ? `${source}${EDGE}` : source;
}

const STOCK = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{N}])(?:${STOCK_PHRASES.map(({ phrase }) => sourceOf(phrase)).join('|')})`,
  'gu',
);

const stock: Gate = {
  name: 'stock',
  find: ({ content, folded, given }) => {
    // What its owner says themselves is theirs: a joiner's cutting edge cuts.
    const found = [...folded.matchAll(STOCK)].find(([phrase]) => !given.includes(phrase));
    if (!found) return undefined;
    const quoted = asWritten(content, found[0], folded);
    return {
      forWriter: `It uses the stock phrase "${quoted}"; say what is meant, in words of the trade.`,
      forUser: `It used a worn phrase: “${quoted}”`,
    };
  },
};

export const STOCK_GATES: Gate[] = [stock];
