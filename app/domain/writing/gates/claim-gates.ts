import type { Gate } from './gate.ts';
import { addsNothing, saysFact } from './known-facts.ts';
import { isFunctionWord } from './little-words.ts';
import type { Reading } from './reading.ts';
import { coverage, fold, foldedPattern, wordsOf } from './word-forms.ts';

const IRREGULAR =
  'was|were|had|did|said|told|made|went|saw|took|got|gave|found|thought|knew|left|kept|began|wrote|ran|lost|won|met|paid|sold|bought|built|spent|sent|taught|learnt|felt|heard|led|came|became|spoke|chose|drove|fell|grew|held|stood|understood|brought|caught|broke|quit|sat|stuck|forgot|hung|wore|ate|drew|threw|woke';
const BETWEEN =
  '(?:(?:\\w+ly|also|once|never|always|just|then|even|still|soon|first|only|both|all|nearly|almost|often|later) ){0,2}';
/** Endings that look like a past: "we need", "we speed up". */
const NO_PAST =
  '(?!need\\b|feed\\b|speed\\b|proceed\\b|exceed\\b|succeed\\b|shed\\b|breed\\b|seed\\b|weed\\b|heed\\b|bleed\\b|embed\\b|indeed\\b)';
const LAST =
  '(?:last (?:year|month|week|quarter|spring|summer|autumn|fall|winter|night|monday|tuesday|wednesday|thursday|friday)|\\w+ (?:years?|months?|weeks?) ago|yesterday|in (?:19|20)\\d\\d|when i was|back then|early in my career|years ago)';

const [S, E] = ['(?<![\\p{L}\\p{M}])', '(?![\\p{L}\\p{M}])'];
/** Where an accent makes the tense: "trabajé" is told, "trabaje" is not. */
const accented = (sources: string[]) => new RegExp(sources.join('|'), 'u');
const ACCENTED = ['es', 'fr'];

/** A sentence that tells of the past of its author, folded, by language. "If I had" and "I would" tell nothing. */
const TELLS: Record<string, RegExp> = {
  en: foldedPattern([
    `(?<!\\b(?:if|wish|before) )(?<!\\bas (?=(?:i|we) said\\b))\\b(?:i|we) ${BETWEEN}(?:${IRREGULAR}|${NO_PAST}[a-z]{2,}ed)\\b(?!'| better\\b)`,
    `(?<!\\b(?:once|when|after|until|before|if) )\\b(?:i|we)(?:'ve| have| 've) ${BETWEEN}(?!to\\b)(?:been|seen|made|done|had|worked|learn(?:ed|t)|written|taken|given|built|lost|met|[a-z]{3,}ed)\\b`,
    '\\b(?:i|we) used to\\b|\\btold (?:me|us)\\b(?! nothing| little)|\\basked (?:me|us)\\b|\\bsaid to (?:me|us)\\b|\\b(?:gave|sent|showed|taught|cost|saved|took) (?:me|us)\\b',
    `\\b(?:i|we|my|our|me|us)\\b[^.]*\\b${LAST}|\\b${LAST}\\b[^.]*\\b(?:i|we|my|our|me|us)\\b`,
    `\\b(?:my|our) (?:\\w+ ){1,2}(?:was|were|said|told|asked|went|left|lost|broke|became|[a-z]{3,}ed)\\b`,
  ]),
  de: foldedPattern([
    '\\b(?:ich|wir) (?:\\w+ ){0,2}(?:habe|haben|hatte|hatten|bin|war|waren|wurde|wurden)\\b[^.!?]*(?<!\\bzu )\\b(?:(?!gegen\\b|geht\\b|gesamt|gewicht|gesicht)ge\\w+(?:t|en)|\\w+iert|(?:be|ver|er|ent|zer|uber|unter)\\w{3,}(?:t|en)|\\w+ge\\w+(?:t|en))\\b',
    '\\b(?:habe|haben|hatte|hatten|bin|war|waren) (?:ich|wir)\\b[^.!?]*(?<!\\bzu )\\b(?:(?!gegen\\b|geht\\b|gesamt|gewicht|gesicht)ge\\w+(?:t|en)|\\w+iert|(?:be|ver|er|ent|zer|uber|unter)\\w{3,}(?:t|en)|\\w+ge\\w+(?:t|en))\\b',
    '\\b(?:ich|wir) (?:\\w+ ){0,1}(?:war|waren|hatten?|wurden?|kamen?|gingen?|sahen?|fanden?|sagten?|fragten?|dachten?|wussten?|mussten?|wollten|bekamen?|stellten? \\w+ (?:ein|um|fest)|machten?|begannen?|verloren|verlor|schrieben?|standen?|sassen?|blieben?|nahmen?|gaben?)\\b',
    '(?:letzte[sn]? (?:jahr|monat|woche|winter|sommer|herbst|fruhjahr)|vor \\w+ (?:jahren|monaten|wochen)|gestern|damals|fruher|im jahr (?:19|20)\\d\\d)\\b[^.!?]*\\b(?:ich|wir|mir|uns|mein\\w*|unser\\w*)\\b',
    '\\b(?:hat|haben) (?:mir|uns|mich)\\b[^.!?]*\\b(?:gesagt|gefragt|erzahlt|gezeigt|geschrieben|beigebracht|gekostet)\\b|\\b(?:sagte|fragte|erzahlte|schrieb|zeigte) (?:mir|uns|mich)\\b',
    '\\b(?:mein|meine|unser|unsere|meinem|unserem) \\w+ (?:war|waren|hatte|hatten|sagte|fragte|kam|ging|verlor|wurde)\\b',
  ]),
  es: accented([
    String.raw`${S}(?<!que (?:no )?(?:(?:le|les|lo|la|te|se) )?)(?:he|hemos|había|habíamos) (?:\p{L}+ )?\p{L}+(?:ado|ido|isto|echo|icho|uesto|ierto|uelto|rito|oto)${E}`,
    String.raw`${S}(?:fui|tuve|hice|dije|puse|vine|pude|supe|quise|traje|estuve|anduve|fuimos|tuvimos|hicimos|dijimos|pusimos|vinimos|pudimos|supimos|quisimos|estuvimos|vimos|dimos|perdimos|aprendimos|(?!aquí|así|ahí|allí|casi|ni|mí|sí|ti|aún)\p{L}{3,}í|(?!(?:qué|por|café|bebé|comité|chalé|puré|también|través|inglés|interés|té|sé|esté|dé|olé|usted)${E})\p{L}{2,}(?<![aei]r)é|compré|entré|logré|cobré|mostré|encontré|esperé|paré|preparé)${E}`,
    String.raw`${S}(?:ayer|el año pasado|la semana pasada|el mes pasado|el invierno pasado|el verano pasado|hace (?:\p{L}+ )?(?:años|meses|semanas)|en (?:19|20)\d\d)${E}[^.!?]*${S}(?:\p{L}+amos|\p{L}+imos|me|nos|mi|mis|nuestr[oa]s?)${E}`,
    `${S}(?:me|nos) (?:dijo|contó|preguntó|enseñó|escribió|pidió|costó|llamó|pasó|quedó|dieron|dijeron|contaron|pidieron|ahorró)${E}`,
    `${S}(?:yo|nosotros)${E}[^.!?]*${S}(?:era|éramos|estaba|estábamos|tenía|teníamos|trabajaba|trabajábamos|solía|solíamos)${E}|${S}cuando (?:era|empecé|trabajaba|teníamos|éramos)${E}`,
    `${S}(?:pasamos de|dejamos de|empezamos a|decidimos|perdimos)${E}`,
  ]),
  fr: accented([
    String.raw`${S}(?:j['’]ai|nous avons|on a|j['’]avais|nous avions|on avait) (?:(?:jamais|souvent|toujours|longtemps|déjà|bien|tout|aussi|enfin|récemment|pas|donc|alors|vite|mal|trop|beaucoup|ensuite|d['’]abord) )*(?:\p{L}+(?:é|ée|és|ées)|fait|mis|pris|dit|eu|été|vu|lu|dû|pu|su|reçu|perdu|écrit|ouvert|appris|compris|choisi|fini|vendu|tenu|vécu|connu|cru|couru|suivi|servi|senti|offert|découvert|attendu|entendu|répondu|rendu)${E}`,
    String.raw`${S}(?:je suis|nous sommes|on est) (?:all|ven|part|arriv|pass|entr|rest|deven|tomb|reven)(?:é|u|i)e?s?${E}|${S}(?:je me suis|nous nous sommes|on s['’]est) \p{L}+`,
    `${S}(?:j['’]étais|nous étions|on était|je travaillais|nous travaillions|je pensais|nous pensions|je croyais|je faisais|nous faisions|j['’]allais|je préparais)${E}`,
    String.raw`${S}(?:l['’]an dernier|l['’]année dernière|la semaine dernière|le mois dernier|l['’]hiver dernier|l['’]été dernier|hier|il y a \p{L}+ (?:ans|mois|semaines)|en (?:19|20)\d\d)${E}[^.!?]*${S}(?:je|nous|mon|ma|mes|notre|nos)${E}`,
    `${S}(?:m['’]a|m['’]ont|nous a|nous ont) (?:dit|demandé|raconté|appris|montré|écrit|coûté|appelé|répondu|quitté)`,
    `${S}(?:mon|ma|notre) (?:premi(?:er|ère)|cliente?|chef|patronne?|équipe|associée?)${E}[^.!?]{0,25}${S}(?:a dit|a demandé|a perdu|était|a quitté|disait|y a perdu)${E}`,
  ]),
  hi: foldedPattern([
    '(?<![\\p{L}\\p{M}])(?:मैंने|मैने|हमने)(?![\\p{L}\\p{M}])',
    '(?<![\\p{L}\\p{M}])(?:मैं|हम|हमें|मुझे|मेरा|मेरी|मेरे|हमारा|हमारी|हमारे)(?![\\p{L}\\p{M}])[^।.!?]*(?<![\\p{L}\\p{M}])(?:था|थी|थे|गया|गई|गए|मिला|मिली|मिले|हुआ|हुई|लगा|आया|आई|पड़ा|बताया|कहा|पूछा|सिखाया)(?![\\p{L}\\p{M}])',
    '(?:मुझसे|हमसे) (?:कहा|पूछा|बोले)|(?:पिछले|पिछली|बीते) (?:साल|महीने|हफ़्ते|हफ्ते|सर्दी|गर्मी)[^।.!?]*(?:मैं|हम|मेरे|मेरी|हमारे|हमारी)',
  ]),
};

/** What others say between quotation marks is no claim of the author. */
const QUOTED = /«[^»\n]*»|“[^”\n]*”|„[^“”\n]*[“”]|(?<!\S)"[^"\n]*"/g;

/** Where the language has no pattern of its own, all of them are tried. */
function tells(sentence: string, language: string): boolean {
  const own = TELLS[language.slice(0, 2)];
  const said = sentence.replace(QUOTED, ' … ');
  const forms = { folded: fold(said), accented: said.normalize('NFC').toLowerCase() };
  return Object.entries(own ? { [language.slice(0, 2)]: own } : TELLS).some(([each, pattern]) =>
    pattern.test(ACCENTED.includes(each) ? forms.accented : forms.folded),
  );
}

const MAPPED = 0.6;
const VERBATIM = 0.75;

/** The facts under which the claims name this sentence: the sentence or the claim holds most of the other. */
function factsFor({ draft, against }: Reading, sentence: string): number[] {
  const words = wordsOf(sentence);
  return draft.claims.flatMap(({ text, fact }) => {
    if (fact === null || against.facts[fact - 1] === undefined) return [];
    const claimed = wordsOf(text);
    const shared = Math.max(
      coverage(words, claimed, against.language),
      claimed.length > 2 ? coverage(claimed, words, against.language) : 0,
    );
    return shared >= MAPPED ? [fact] : [];
  });
}

/** Whether the facts that the claims name for a sentence are what it says, or what the text says beside this aside. */
function isSupported({ against, sentences }: Reading, sentence: string, named: number[]): boolean {
  const facts = named.map((fact) => against.facts[fact - 1]!).join('\n');
  const says = (each: string) => saysFact(each, facts, against.language);
  return named.length > 0 && (says(sentence) || (addsNothing(sentence) && sentences.some(says)));
}

/** Whether nearly all of a sentence stands in what a person typed. */
function isGiven({ givenWords, against }: Reading, sentence: string): boolean {
  const words = wordsOf(sentence).filter((word) => !isFunctionWord(word));
  return words.length > 1 && coverage(words, givenWords, against.language) >= VERBATIM;
}

const notSaid = (sentence: string, named: number[]) => {
  const quoted = sentence.slice(0, 120);
  return named.length === 0
    ? `It tells something of the author that no fact says: "${quoted}" Leave it out, or name the fact in the claims, but only if that fact really says so.`
    : `Its claims name fact ${named.join(' and ')} for "${quoted}", which the fact does not say. Leave it out; tell it only if fact ${named.join(' or ')} really says so, with the words and years of the fact.`;
};

const story: Gate = {
  name: 'story',
  find: (text) => {
    for (const sentence of text.sentences) {
      if (!tells(sentence, text.against.language) || isGiven(text, sentence)) continue;
      const named = factsFor(text, sentence);
      if (isSupported(text, sentence, named)) continue;
      return {
        forWriter: notSaid(sentence, named),
        forUser: 'It told something about you that none of your facts says',
      };
    }
    return undefined;
  },
};

const claimedFacts: Gate = {
  name: 'claimed-facts',
  find: ({ draft, against }) =>
    draft.claims.some(
      ({ fact }) => fact !== null && (!Number.isInteger(fact) || fact < 1 || fact > against.facts.length),
    )
      ? {
          forWriter: `A claim names a fact that does not exist; the facts have the numbers 1 to ${against.facts.length}.`,
          forUser: 'It called upon a fact that you have not written down',
        }
      : undefined,
};

export const CLAIM_GATES: Gate[] = [story, claimedFacts];
