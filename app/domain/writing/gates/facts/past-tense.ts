import { foldedPattern, LETTERS } from '#app/domain/writing/gates/language/word-forms.ts';
import type { Statement } from '#app/domain/writing/gates/parsed-draft.ts';

const IRREGULAR =
  'was|were|had|did|said|told|made|went|saw|took|got|gave|found|thought|knew|left|kept|began|wrote|ran|lost|won|met|paid|sold|bought|built|spent|sent|taught|learnt|felt|heard|led|came|became|spoke|chose|drove|fell|grew|held|stood|understood|brought|caught|broke|quit|sat|stuck|forgot|hung|wore|ate|drew|threw|woke';
const BETWEEN =
  '(?:(?:\\w+ly|also|once|never|always|just|then|even|still|soon|first|only|both|all|nearly|almost|often|later) ){0,2}';
/** Present forms that look like a past: "we need", "we speed up". */
const NO_PAST =
  '(?!need\\b|feed\\b|speed\\b|proceed\\b|exceed\\b|succeed\\b|shed\\b|breed\\b|seed\\b|weed\\b|heed\\b|bleed\\b|embed\\b|indeed\\b)';
const LAST =
  '(?:last (?:year|month|week|quarter|spring|summer|autumn|fall|winter|night|monday|tuesday|wednesday|thursday|friday)|\\w+ (?:years?|months?|weeks?) ago|yesterday|the other day|this morning|in (?:19|20)\\d\\d|when i was|back then|early in my career|years ago)';

const PEOPLE_DE =
  '\\w*(?:chef(?:in)?|kund(?:e|in|en)|mandant(?:in|en)?|meister(?:in)?|lehrer(?:in)?|vater|mutter|kolleg(?:e|in|en)|mentor(?:in)?|partner(?:in)?|team|grossvater|grossmutter|oma|opa|freund(?:in)?|nachbar(?:in)?|ausbilder(?:in)?|bruder|schwester|patient(?:in|en)?)';

const L = `[${LETTERS}]`;
const [S, E] = [`(?<!${L})`, `(?!${L})`];
/** For languages in which an accent makes the tense: "trabajé" is a past, "trabaje" is not. */
const accented = (sources: string[]) => new RegExp(sources.join('|'));
const ACCENTED = ['es', 'fr', 'pt'];

/** Sentences about the past of the author, by language. "If I had" and "I would" do not match. */
const PAST: Record<string, RegExp> = {
  en: foldedPattern([
    `(?<!\\b(?:if|wish|before) )(?<!\\bas (?=(?:i|we) said\\b))\\b(?:i|we) ${BETWEEN}(?:${IRREGULAR}|${NO_PAST}[a-z]{2,}ed)\\b(?!'| better\\b)`,
    `(?<!\\b(?:once|when|after|until|before|if) )\\b(?:i|we)(?:'ve| have| 've) ${BETWEEN}(?!to\\b)(?:been|seen|made|done|had|worked|learn(?:ed|t)|written|taken|given|built|lost|met|[a-z]{3,}ed)\\b`,
    '\\b(?:i|we) used to\\b|\\btold (?:me|us)\\b(?! nothing| little)|\\basked (?:me|us)\\b|\\b(?:said|explained|admitted|confessed|mentioned|confided) (?:to|in) (?:me|us)\\b|\\b(?:gave|sent|showed|taught|cost|saved|took) (?:me|us)\\b',
    `\\b(?:i|we|my|our|me|us)\\b[^.]*\\b${LAST}|\\b${LAST}\\b[^.]*\\b(?:i|we|my|our|me|us)\\b`,
    '\\b(?:calls|rings|writes|emails|messages|texts|asks|tells) (?:me|us)\\b[^.]{0,40}\\b(?:and|then) (?:says|asks|tells|wants|writes)\\b',
    `\\b(?:my|our) (?:\\w+ ){1,2}(?:used to|would (?:always|often)|was|were|said|told|asked|went|left|lost|broke|became|[a-z]{3,}ed)\\b`,
  ]),
  de: foldedPattern([
    '\\b(?:ich|wir) (?:\\w+ ){0,2}(?:habe|haben|hatte|hatten|bin|war|waren|wurde|wurden)\\b[^.!?]*(?<!\\bzu )\\b(?:(?!gegen\\b|geht\\b|gesamt|gewicht|gesicht)ge\\w+(?:t|en)|\\w+iert|(?:be|ver|er|ent|zer|uber|unter)\\w{3,}(?:t|en)|\\w+ge\\w+(?:t|en))\\b',
    '\\b(?:habe|haben|hatte|hatten|bin|war|waren) (?:ich|wir)\\b[^.!?]*(?<!\\bzu )\\b(?:(?!gegen\\b|geht\\b|gesamt|gewicht|gesicht)ge\\w+(?:t|en)|\\w+iert|(?:be|ver|er|ent|zer|uber|unter)\\w{3,}(?:t|en)|\\w+ge\\w+(?:t|en))\\b',
    '\\b(?:ich|wir) (?:\\w+ ){0,1}(?:war|waren|hatten?|wurden?|kamen?|gingen?|sahen?|fanden?|sagten?|fragten?|dachten?|wussten?|mussten?|wollten|bekamen?|stellten? \\w+ (?:ein|um|fest)|machten?|begannen?|verloren|verlor|schrieben?|standen?|sassen?|blieben?|nahmen?|gaben?)\\b',
    '(?:letzte[sn]? (?:jahr|monat|woche|winter|sommer|herbst|fruhjahr|montag|dienstag|mittwoch|donnerstag|freitag)|neulich|kurzlich|vor \\w+ (?:jahren|monaten|wochen)|gestern|damals|fruher|im jahr (?:19|20)\\d\\d)\\b[^.!?]*\\b(?:ich|wir|mir|mich|uns|mein\\w*|unser\\w*)\\b',
    '\\b(?:hat|haben) (?:mir|uns|mich)\\b[^.!?]*\\b(?:gesagt|gefragt|erzahlt|erklart|verraten|anvertraut|gestanden|gezeigt|geschrieben|beigebracht|gekostet)\\b|\\b(?:sagte|fragte|erzahlte|erklarte|verriet|gestand|schrieb|zeigte) (?:mir|uns|mich)\\b',
    '\\b(?:mein|meine|unser|unsere|meinem|unserem) (?:\\w+ )?\\w+ (?:war|waren|hatte|hatten|sagte|fragte|kam|ging|verlor|wurde|pflegte|meinte|rief|schrieb|wollte|erzahlte|nannte|gab)\\b',
    `\\b(?:mein|meine|unser|unsere) (?:\\w+ )?${PEOPLE_DE} (?:hat|haben|hatte|hatten) [^.!?]*\\b(?:ge\\w+(?:t|en)|\\w+iert|(?:be|ver|er|ent)\\w{3,}(?:t|en))\\b`,
  ]),
  es: accented([
    `${S}(?<!que (?:no )?(?:(?:le|les|lo|la|te|se) )?)(?:he|hemos|había|habíamos) (?:${L}+ )?${L}+(?:ado|ido|isto|echo|icho|uesto|ierto|uelto|rito|oto)${E}`,
    `${S}(?:fui|tuve|hice|dije|puse|vine|pude|supe|quise|traje|estuve|anduve|fuimos|tuvimos|hicimos|dijimos|pusimos|vinimos|pudimos|supimos|quisimos|estuvimos|vimos|dimos|perdimos|aprendimos|(?!aquí|así|ahí|allí|casi|ni|mí|sí|ti|aún)${L}{3,}í|(?!(?:qué|por|café|bebé|comité|chalé|puré|también|través|inglés|interés|té|sé|esté|dé|olé|usted)${E})${L}{2,}(?<![aei]r)é|compré|entré|logré|cobré|mostré|encontré|esperé|paré|preparé)${E}`,
    `${S}(?:ayer|el año pasado|la semana pasada|el mes pasado|el invierno pasado|el verano pasado|hace (?:${L}+ )?(?:años|meses|semanas)|en (?:19|20)\\d\\d)${E}[^.!?]*${S}(?:${L}+amos|${L}+imos|me|nos|mi|mis|nuestr[oa]s?)${E}`,
    `${S}(?:me|nos) (?:dijo|contó|preguntó|explicó|confesó|confió|propuso|comentó|enseñó|escribió|pidió|costó|llamó|pasó|quedó|dieron|dijeron|contaron|pidieron|ahorró)${E}`,
    `${S}(?:yo|nosotros)${E}[^.!?]*${S}(?:era|éramos|estaba|estábamos|tenía|teníamos|trabajaba|trabajábamos|solía|solíamos)${E}|${S}cuando (?:era|empecé|trabajaba|teníamos|éramos)${E}`,
    `${S}(?:me|nos) (?:decía|pedía|preguntaba|contaba|llamaba|enseñaba|repetía|escribía)n?${E}`,
    `${S}(?:mi|mis|nuestr[oa]s?) (?:${L}+ )?${L}+ (?:(?:me|nos|se|le|lo|la|siempre|nunca|ya|no|también) ){0,3}(?:(?!(?:acaba|graba|alaba|clava|traba)n?${E})${L}{2,}aban?|(?:dec|ped|quer|ten|sab|hac|ven|pod|sol|viv|escrib|repet|cre)ían?|${L}{2,}ó|dijo|hizo|tuvo|fue|fueron|eran?|estuvo|vino|quiso|${L}{2,}(?:aron|eron))${E}`,
    `${S}(?:pasamos de|dejamos de|empezamos a|decidimos|perdimos)${E}`,
  ]),
  fr: accented([
    `${S}(?:j['’]ai|nous avons|on a|j['’]avais|nous avions|on avait) (?:(?:jamais|souvent|toujours|longtemps|déjà|bien|tout|aussi|enfin|récemment|pas|donc|alors|vite|mal|trop|beaucoup|ensuite|d['’]abord) )*(?:${L}+(?:é|ée|és|ées)|fait|mis|pris|dit|eu|été|vu|lu|dû|pu|su|reçu|perdu|écrit|ouvert|appris|compris|choisi|fini|vendu|tenu|vécu|connu|cru|couru|suivi|servi|senti|offert|découvert|attendu|entendu|répondu|rendu)${E}`,
    `${S}(?:je suis|nous sommes|on est) (?:all|ven|part|arriv|pass|entr|rest|deven|tomb|reven)(?:é|u|i)e?s?${E}|${S}(?:je me suis|nous nous sommes|on s['’]est) ${L}+`,
    `${S}(?:j['’]étais|nous étions|on était|je travaillais|nous travaillions|je pensais|nous pensions|je croyais|je faisais|nous faisions|j['’]allais|je préparais)${E}`,
    `${S}(?:l['’]an dernier|l['’]année dernière|la semaine dernière|le mois dernier|l['’]hiver dernier|l['’]été dernier|hier|il y a ${L}+ (?:ans|mois|semaines)|en (?:19|20)\\d\\d)${E}[^.!?]*${S}(?:je|j['’]|me|m['’]|moi|nous|mon|ma|mes|notre|nos)(?:${E}|(?<=['’]))`,
    `${S}(?:me|m['’]|nous) ?(?:disait|demandait|racontait|appelait|répétait|écrivait|montrait|expliquait)${E}`,
    `${S}(?:mon|ma|mes|notre|nos) (?:${L}+ )?${L}+ (?:(?:me|nous|se|ne|le|la|lui|leur|toujours|souvent|y|en) |[mnsl]['’]){0,3}(?:(?!(?:parfait|satisfait|extrait|refait|défait|distrait|abstrait|connait|parait|disparait)${E})${L}{2,}(?<!r)(?:ait|aient)|(?:a|ont|avait|avaient) (?:${L}+é|dit|fait|mis|pris|perdu|écrit|ouvert|appris|choisi|vendu|reçu))${E}`,
    `${S}(?:m['’]a|m['’]ont|nous a|nous ont) (?:dit|demandé|raconté|appris|montré|écrit|coûté|appelé|répondu|quitté|confié|expliqué|avoué|proposé|envoyé|répété)`,
    `${S}(?:mon|ma|notre) (?:premi(?:er|ère)|cliente?|chef|patronne?|équipe|associée?)${E}[^.!?]{0,25}${S}(?:a dit|a demandé|a perdu|était|a quitté|disait|y a perdu)${E}`,
  ]),
  hi: foldedPattern([
    `(?<!${L})(?:मैंने|मैने|हमने)(?!${L})`,
    `(?<!${L})(?:मैं|हम|हमें|मुझे|मेरा|मेरी|मेरे|हमारा|हमारी|हमारे)(?!${L})[^।.!?]*(?<!${L})(?:था|थी|थे|गया|गई|गए|मिला|मिली|मिले|हुआ|हुई|लगा|आया|आई|पड़ा|बताया|कहा|पूछा|सिखाया)(?!${L})`,
    `(?:मुझसे|हमसे) (?:कहा|पूछा|बोले)|(?:पिछले|पिछली|बीते) (?:साल|महीने|हफ़्ते|हफ्ते|सर्दी|गर्मी)[^।.!?]*(?<!${L})(?:मैं|मुझे|मुझसे|मेरे|मेरी|मेरा|हम|हमें|हमसे|हमारे|हमारी|हमारा)(?!${L})`,
  ]),
  it: foldedPattern([
    '\\b(?:ho|abbiamo|avevo|avevamo) (?:\\w+ ){0,2}(?!tanto\\b|molto\\b|tutto\\b|sotto\\b|adatto\\b)\\w{2,}(?:ato|uto|ito|tto|sto|rso|rto)\\b',
    '\\b(?:sono|siamo|ero|eravamo) (?:andat|venut|partit|arrivat|rimast|diventat|passat|tornat|entrat|uscit)[oaie]\\b|\\bquando (?:ero|lavoravo|avevo|facevo)\\b',
    '\\b(?:mi|ci) (?:ha|hanno|aveva) (?:detto|chiesto|raccontato|spiegato|scritto|chiamato|risposto|insegnato|confessato)\\b|\\b(?:mi|ci) (?:diceva|chiedeva|raccontava|scriveva|ripeteva)\\b',
    '(?:l.anno scorso|la settimana scorsa|il mese scorso|ieri|\\w+ (?:anni|mesi|settimane) fa)\\b[^.!?]*\\b(?:io|noi|mi|ci|mio|mia|nostr[oaie])\\b',
  ]),
  nl: foldedPattern([
    '\\b(?:ik|we|wij) (?:\\w+ ){0,2}(?:heb|hebben|had|hadden|ben|was|waren)\\b[^.!?]*\\b(?!gebruik|gevoel|gedrag|gesprek|geld\\b|geen\\b|gemak|gewoon)ge\\w{3,}(?:d|t|en)\\b',
    '\\b(?:heb|hebben|had|hadden) (?:ik|we|wij)\\b[^.!?]*\\b(?!gebruik|gevoel|gedrag|gesprek|geld\\b|geen\\b|gemak|gewoon)ge\\w{3,}(?:d|t|en)\\b',
    '\\b(?:vorige? (?:jaar|week|maand|winter|zomer)|gisteren|(?:jaren|maanden|weken|jaar) geleden)\\b[^.!?]*\\b(?:ik|we|wij|mij|ons|onze|mijn)\\b',
    '\\b(?:zei|vertelde|vroeg|schreef|belde) (?:mij|me|ons)\\b|\\b(?:mijn|onze|ons) (?:\\w+ )?\\w+ (?:zei|vroeg|vertelde|was|had|ging|kwam|verloor|schreef)\\b',
  ]),
  pt: accented([
    `${S}(?:eu|nós) (?:${L}+ )?(?:era|éramos|estava|estávamos|tinha|tínhamos|trabalhava|trabalhávamos|fazia|fazíamos)${E}`,
    `${S}(?!(?:lei|rei|sei|hei|frei|grei)${E})(?:${L}{3,}(?<![rs])ei|(?:entr|comp|prepar|mostr|encontr|esper|par|us|pens|pass)r?ei|aprendi|perdi|recebi|escrevi|vendi|decidi|descobri|ouvi|vivi|pedi|fui|tive|fiz|disse|pude|soube|quis|vim|aprendemos|perdemos|fizemos|tivemos|dissemos|recebemos|decidimos|descobrimos|fomos)${E}`,
    `${S}(?:me|nos) (?:disse|contou|perguntou|explicou|pediu|escreveu|ligou|ensinou|dizia|pedia|contava)(?:ram)?${E}|${S}(?:disse|contou|perguntou|explicou|pediu)-(?:me|nos)${E}`,
    `${S}(?:ontem|no ano passado|na semana passada|no mês passado|há ${L}+ (?:anos|meses|semanas))${E}[^.!?]*${S}(?:eu|nós|me|nos|meu|minha|noss[oa]s?)${E}`,
  ]),
};

/** Returns the match of the language's pattern, or of the English one for a language without a pattern. */
export function findIn(
  patterns: Record<string, RegExp>,
  statement: Statement,
  language: string,
): string | undefined {
  const own = language.split('-')[0]!;
  const key = own in patterns ? own : 'en';
  return patterns[key]!.exec(ACCENTED.includes(key) ? statement.accented : statement.folded)?.[0];
}

export const tellsOfPast = (statement: Statement, language: string): boolean =>
  findIn(PAST, statement, language) !== undefined;
