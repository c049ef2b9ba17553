import type { FactKind } from '#app/db/tables.ts';

/** In the order in which they are tried; a sentence that says none of these tells of something done. */
const SIGNS: [kind: FactKind, sign: RegExp][] = [
  ['question', /[?？؟]\s*$/],
  [
    'lesson',
    /\b(?:learn(?:ed|t)|lesson|mistakes?|went wrong|failed|regret|too late|gelernt|fehler|aprend\w+|errore?s?|appris|erreurs?)\b|सीख|गलती/iu,
  ],
  [
    'opinion',
    /\b(?:i (?:think|believe|prefer|doubt)|should(?:n't)?|overrated|underrated|better than|worse than|ich (?:finde|glaube)|sollten?|creo que|deber[ií]a\w*|je (?:pense|crois)|devrai\w*)\b|मानना|चाहिए/iu,
  ],
  ['number', /\p{N}/u],
];

/** What kind of fact a sentence is, when its owner does not say. */
export const guessKind = (content: string): FactKind =>
  SIGNS.find(([, sign]) => sign.test(content))?.[0] ?? 'project';
