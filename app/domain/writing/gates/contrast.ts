import { asWritten, foldedPattern } from '#app/domain/writing/gates/language/word-forms.ts';
import type { Gate } from './gate.ts';
import { quote } from './quote.ts';

/** Words for what a thing "really" is: they fit every trade. */
const GRAND = {
  en: '(?:journey|promise|investment|partnership|relationships?|conversation|mindset|culture|trust|people|attitude|habits?|philosophy|strategy|story|stories|experience|opportunity|lifestyle|commitment|superpower|mission|community|belonging|respect|discipline|purpose|connection|confidence|clarity|freedom|leadership|growth|legacy|preparation|practice|patience|honesty|care|craft|character|courage|value|message|signal|gift|choice|process|person|teamwork|communication|empathy|ownership|focus|consistency|maths?)',
  de: '(?:mensch(?:en)?|haltung|vertrauen|versprechen|einstellung|investition(?:en)?|reise|beziehung(?:en)?|kultur|chance|strategie|mindset|wertschatzung|begegnung|erlebnis|leidenschaft|partnerschaft|verantwortung|philosophie|geschichte|respekt|disziplin|klarheit|freiheit|fuhrung|wachstum|geduld|ehrlichkeit|handwerk|charakter|mut|botschaft|geschenk|entscheidung|prozess|gewohnheit|kommunikation|fursorge|dialog|gesprach)',
  es: '(?:personas?|gente|actitud|confianza|promesa|inversion|viaje|relacion(?:es)?|cultura|oportunidad|estrategia|mentalidad|experiencia|pasion|compromiso|filosofia|historia|respeto|disciplina|claridad|libertad|liderazgo|crecimiento|paciencia|honestidad|oficio|caracter|mensaje|regalo|eleccion|decision|proceso|habito|comunicacion|conversacion|metodo|cuidado)',
  fr: '(?:humains?|gens|personnes?|attitude|confiance|promesse|investissement|voyage|relations?|culture|opportunite|strategie|etat d.esprit|experience|passion|engagement|philosophie|histoire|respect|discipline|clarte|liberte|leadership|croissance|patience|honnetete|metier|caractere|message|cadeau|choix|decision|processus|habitude|communication|conversation|methode|dialogue|soin)',
  hi: '(?:निवेश|वादा|भरोसा|भरोसे|विश्वास|रिश्ता|रिश्ते|यात्रा|सफ़र|सफर|पहचान|संस्कृति|सोच|इंसान|लोग|अवसर|अनुभव|कहानी|आदत|ज़िम्मेदारी|सम्मान|नज़रिया|जुनून|कला|संवाद|फ़ैसला|प्रक्रिया|अनुशासन)',
};
/** Without digits: "the fee isn't a 5, it's a 6" is a correction. */
const PLAIN = '[^.!?,;\\n\\d]{2,50}?[.,;–—]\\s*';
const S = '(?:^|[.!?:…।]\\s+|\\n\\s*|[–—]\\s+)';
const DONE = '(?=[.!?,;:–—।\\n]|$)';

/**
 * Matches "It isn't just a tool, it's a journey" and "Not a cost. An investment." in folded text: a thing gets another
 * class or a word that fits everything. "The deadline isn't Friday, it's Monday" is a correction and does not match.
 */
const CONTRAST = foldedPattern([
  // English
  "\\b(?:is|are|was|were|it|that|this|they)(?:n't| not|'s not| is not|'re not| are not) (?:just|only|merely|simply|about|really about)\\b[^.!?\\n]{1,90}[.,;:!–—-]+\\s*(?:it|they|that|this|we|you|but|rather)(?:'s|'re| is| are)?\\b",
  '\\bnot (?:just|only|merely|simply)\\b[^.!?\\n]{2,90}\\bbut\\b',
  '\\bless about\\b[^.!?\\n]{2,60}\\bmore about\\b|\\bmore than just an?\\b',
  `\\b(?:is|are|was|were|'s|'re)(?:n't| not) (?:an?|your|our|about) ${PLAIN}(?:it|this|that|they)(?:'s|'re| is| are) (?:really |actually )?(?:an?|your|our|about|how|what|where|why|who)\\b`,
  "\\b(?:is|are|was|were)(?:n't| not) (?:an?|about|your) [^.!?,;\\n\\d]{2,50},? but (?:an?|about|your)\\b",
  `\\b(?:is|are|was|were|'s|'re)(?:n't| not) ${PLAIN}(?:it|this|that|they)(?:'s|'re| is| are) (?:[a-z]+ ){0,2}?${GRAND.en}${DONE}`,
  `\\b(?:it|this|that|they)(?:'s|'re| is| are)(?: not|n't) (?![a-z]*(?:ed|en|ing)\\b)[a-z]+[.;–—,]\\s*(?:it|this|that|they)(?:'s|'re| is| are) (?!(?:mon|tues|wednes|thurs|fri|satur|sun)day|[a-z]*(?:ed|ing)\\b)[a-z]+${DONE}`,
  `\\bnot (?:the |a |an |your |our )?[^.!?,;\\n\\d]{2,40}? (?:that|who|which) [a-z]+,? but (?:[a-z]+ ){0,2}?${GRAND.en}${DONE}`,
  `${S}not (?:an?|your|our) [^.!?,;\\n\\d]{2,40}[.;–—,]\\s*(?:but )?(?:an?|your|our) [^.!?,;\\n\\d]{2,40}[.!\\n]`,
  `${S}not (?:the )?[^.!?,;\\n\\d]{2,40}[.;–—,]\\s*(?:but )?(?:the )?${GRAND.en}${DONE}`,
  // German
  `\\b(?:ist|sind|war|waren|geht es) (?:langst |eben |hier )?nicht (?:nur|bloss|einfach|lediglich|allein)\\b[^.!?\\n]{2,90}[.,;–—-]+\\s*(?:sondern|es|sie|er|das|dies)\\b|\\bnicht nur\\b[^.!?\\n]{2,90}\\bsondern\\b|\\b(?:es geht|geht es)(?: \\w+){0,2} nicht um\\b[^!?\\n]{2,60}[.,;–—]\\s*(?:sondern|es geht)\\b`,
  `\\b(?:ist|sind) kein[en]? ${PLAIN}(?:(?:es|sie|er|das) (?:ist|sind) (?:eine? |${GRAND.de}${DONE})|sondern (?:eine? |${GRAND.de}${DONE}))`,
  `\\bnicht [^.!?\\n\\d]{2,60}, sondern (?:\\w+ ){0,2}?${GRAND.de}${DONE}`,
  `${S}kein(?:e|en)? [^.!?,;\\n\\d]{2,40}[.;–—,]\\s*(?:sondern )?(?:eine? |einen )?${GRAND.de}${DONE}`,
  '\\bmehr als nur\\b|\\bmehr als eine? bloss\\w*',
  // Spanish
  `\\bno (?:se trata de|se trata solo de|es solo|son solo|es simplemente|solo es|va de)\\b[^.!?\\n]{2,80}[.,;–—]\\s*(?:es|son|se trata de|sino|va de)\\b|\\bno (?:solo|solamente|unicamente)\\b[^.!?\\n]{2,90}\\bsino\\b|\\bmas que (?:un|una|solo) \\w+[^.!?\\n]{0,30}, (?:es|son)\\b`,
  `\\bno (?:es|son) (?:una?|unos|unas) ${PLAIN}(?:es|son|sino) (?:una?|${GRAND.es}${DONE})\\b`,
  `\\bno (?:es|son) ${PLAIN}(?:es|son|sino) (?:\\w+ ){0,1}?${GRAND.es}${DONE}`,
  `${S}(?:no|ni) una? [^.!?,;\\n\\d]{2,40}[.;–—]\\s*una? [^.!?,;\\n\\d]{2,40}[.!\\n]`,
  // French
  "\\b(?:n'est|ne sont|n'etait|il ne s'agit|ce n'est) pas (?:seulement|juste|simplement|uniquement|qu'|que)[^.!?\\n]{2,80}[.,;–—]\\s*(?:c'est|ce sont|mais|il s'agit|elle est|il est)\\b|\\bil ne s'agit pas de [^.!?\\n]{2,60}[.,;–—]\\s*(?:mais|il s'agit) d|\\bnon seulement\\b[^.!?\\n]{2,90}\\bmais\\b|\\bbien plus qu'une?\\b|\\bplus qu'une? simple\\b",
  `\\b(?:n'est|ne sont|n'etait|ce n'est|il ne s'agit) pas (?:une? |de )${PLAIN}(?:c'est|ce sont|mais|il s'agit|elle est|il est) (?:d')?(?:une? |${GRAND.fr}${DONE})`,
  `\\b(?:n'est|ne sont|n'etait|ce n'est) pas ${PLAIN}(?:c'est|ce sont|mais|elle est|il est) (?:[\\w']+ |l'){0,1}?${GRAND.fr}${DONE}`,
  `${S}pas une? [^.!?,;\\n\\d]{2,40}[.;–—,]\\s*(?:mais )?une? [^.!?,;\\n\\d]{2,40}[.!\\n]`,
  // Hindi
  'सिर्फ़? [^।.!?\\n]{2,80} (?:नहीं|नही)(?: है| हैं)?[,;।–—]?\\s*(?:यह|ये|बल्कि|वह|एक)(?![\\p{L}\\p{M}])|(?:केवल|महज़?|मात्र) [^।.!?\\n]{2,80} (?:नहीं|नही)(?: है| हैं)?[,;।–—]?\\s*(?:यह|ये|बल्कि|वह|एक)(?![\\p{L}\\p{M}])|(?:नहीं|नही)(?: है| हैं)?[,;]? बल्कि एक(?![\\p{L}\\p{M}])',
  `(?:नहीं|नही)(?: है| हैं)?[,;।–—]\\s*(?:(?:यह|ये|वह|बल्कि|एक|तो) ){0,3}${GRAND.hi}(?![\\p{L}\\p{M}])`,
]);

const contrast: Gate = {
  name: 'contrast',
  find: ({ folded, content }) => {
    const found = CONTRAST.exec(folded)?.[0];
    if (found === undefined) return undefined;
    const quoted = asWritten(content, found, folded).replace(/^[.!?:…।\s–—]+/u, '');
    return {
      forWriter: `It uses the figure "not this but that" (${quote(quoted, 80)}); say only what is the case.`,
      forUser: `It used the figure “not this but that”: “${quoted.slice(0, 80)}”`,
    };
  },
};

export const CONTRAST_GATES: Gate[] = [contrast];
