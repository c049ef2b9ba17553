import { FUNCTION_WORDS } from './function-words.ts';

/** Function words of languages that are only detected as foreign, folded. */
const OTHERS: Record<string, string> = {
  it: 'a ad al alla alle allo agli ai anche ancora avere c che chi ci cio come con cosa cosi cui da dal dalla dalle dai degli dei del della delle dello di dopo dove due e ed era essere fa fare fino fra gia gli ha hai hanno ho i il in io la le lei li lo loro lui ma mai me meglio meno mentre mi mia mio molto ne nei nel nella nelle nessuno noi non nostra nostro o ogni oppure per perche piu poco poi prima proprio qualche quale quando quanto quella quelle quelli quello questa queste questi questo qui se sempre senza si sia sono sta stesso su sua sue sui sul sulla suo tra troppo tu tutta tutte tutti tutto un una uno va vi voi',
  nl: 'aan al alle alleen als altijd andere ben bij bent daar dan dat de deze die dit doen door dus een eens en er gaat geen had hebben hebt heeft heel het hem hen hier hij hoe hun iemand iets ik in is ja je jij jouw kan komt kun kunnen laat maar maken mee meer men met mij mijn moet moeten na naar niet niets nog nooit nu of om omdat ons onze ook op over staat steeds te tegen toch toen tot tussen uit van veel voor waar waarom want waren wat we weer weg wel werd wie wij wil wordt worden zal ze zelf zich zij zijn zo zonder zou',
  pt: 'a ainda agora ao aos apenas aqui as assim ate bem cada com como da das de dela dele deles depois desde do dois dos duas e ela elas ele eles em entao entre era esse essa esta este estao eu faz fazer foi ha isso isto ja la lhe mais mas me mesmo meu minha muito na nada nao nas nem no nos nossa nosso num numa o onde os ou outra outro para pela pelas pelo pelos pode por porque pouco qual quando quanto que quem se sem sempre ser seu seus so sobre sua suas tambem tao te tem ter toda todas todo todos tudo um uma umas uns vai voce voces',
};
const LISTS = Object.entries({ ...FUNCTION_WORDS, ...OTHERS });
const CODES = LISTS.map(([language]) => language);

/** The languages of each function word, as a bit set. */
const LANGUAGES_OF = new Map<string, number>();
LISTS.forEach(([, words], at) => {
  for (const word of words.split(' ')) LANGUAGES_OF.set(word, (LANGUAGES_OF.get(word) ?? 0) | (1 << at));
});

/** Another language needs this many function words, and this many times those of the expected language. */
const CLEAR = { min: 4, times: 3 };

/**
 * Returns the language of folded words when their function words clearly belong to another language than the expected
 * one. Returns undefined for an expected language without a list.
 */
export function foreignLanguage(words: string[], language: string): string | undefined {
  const own = language.split('-')[0]!;
  if (!(own in FUNCTION_WORDS)) return undefined;
  const expected = CODES.indexOf(own);
  const counts = new Map<number, number>();
  for (const word of words) {
    const bits = LANGUAGES_OF.get(word);
    if (bits !== undefined) counts.set(bits, (counts.get(bits) ?? 0) + 1);
  }
  let [best, most]: [string | undefined, number] = [undefined, 0];
  CODES.forEach((code, at) => {
    if (at === expected) return;
    let [other, own] = [0, 0];
    for (const [bits, count] of counts) {
      const [isOther, isOwn] = [(bits >> at) & 1, (bits >> expected) & 1];
      if (isOther && !isOwn) other += count;
      if (isOwn && !isOther) own += count;
    }
    if (other > most && other >= CLEAR.min && other >= own * CLEAR.times) [best, most] = [code, other];
  });
  return best;
}
