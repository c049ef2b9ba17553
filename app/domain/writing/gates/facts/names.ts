import type { Gate } from '#app/domain/writing/gates/gate.ts';
import { isStressed } from '#app/domain/writing/gates/language/capitals.ts';
import { isFunctionWord } from '#app/domain/writing/gates/language/function-words.ts';
import { asWritten, fold, hasForm } from '#app/domain/writing/gates/language/word-forms.ts';
import type { ParsedDraft } from '#app/domain/writing/gates/parsed-draft.ts';

/** Capitalised names that every post may have: tools, methods, standards, places, holidays. */
const FREE =
  'new york london paris berlin madrid vienna delhi mumbai allen stanley phillips philips torx bosch makita saas rohs ' +
  'rome milan venice naples turin lisbon porto barcelona valencia seville sevilla malaga bilbao dublin edinburgh glasgow manchester birmingham liverpool leeds bristol munich munchen hamburg cologne koln frankfurt stuttgart leipzig dresden dusseldorf hannover nurnberg bremen wien zurich basel bern geneva geneve brussels bruxelles amsterdam rotterdam antwerp copenhagen stockholm oslo helsinki warsaw prague budapest athens istanbul moscow kyiv londres bruselas milano roma lisboa nueva york lyon marseille toulouse bordeaux lille nantes strasbourg nice rennes tokyo beijing shanghai singapore dubai sydney melbourne toronto montreal vancouver chicago boston seattle austin texas california florida san francisco los angeles las vegas washington mexico bogota lima buenos aires santiago sao paulo rio bangalore bengaluru chennai kolkata hyderabad pune jaipur lucknow ahmedabad kerala punjab bavaria bayern cataluna catalonia andalucia provence bretagne normandie tuscany lombardy scandinavia balkans ' +
  'i linkedin excel word powerpoint outlook office windows mac macos linux google docs sheets drive calendar maps gmail slack teams zoom whatsapp signal telegram notion trello jira asana confluence miro figma photoshop github gitlab git python java javascript typescript sql postgres postgresql docker kubernetes wordpress shopify instagram facebook youtube tiktok pinterest canva pdf csv iphone ipad android bluetooth wifi wi-fi internet web usb chatgpt ' +
  'macbook airpods facetime icloud devops fintech edtech bafin mwst opensource stackoverflow foodtruck openai claude gemini copilot bing chrome firefox safari edge ubuntu debian bash powershell vim emacs node react angular vue django laravel rails ruby php rust go golang swift kotlin scala redis kafka mysql sqlite mongodb oracle snowflake tableau looker power bi aws azure terraform ansible jenkins datadog grafana sentry stripe paypal klarna bizum sepa salesforce hubspot zendesk intercom mailchimp typeform calendly loom dropbox onedrive onenote sharepoint evernote obsidian airtable todoist basecamp linear clickup monday zapier datev lexware elster sap sage xero quickbooks lexoffice navision odoo autocad revit solidworks sketchup blender indesign illustrator lightroom premiere acrobat adobe wikipedia reddit twitter xing vimeo spotify etsy ebay magento woocommerce prestashop upi aadhaar lego velcro tesa sharpie moleskine post-it tupperware thermos gore-tex teflon plexiglas ikea hilti festool arduino raspberry pi siri alexa markdown latex unicode ascii json xml html css http https api rest graphql oauth ' +
  'scrum kanban lean agile gantt pareto okr kaizen eisenhower pomodoro sigma swot raci kpi bauhaus six itil prince2 smart bpmn uml tdd ishikawa parkinson murphy conway goodhart brooks occam maslow fibonacci gauss bayes likert venn poka-yoke gemba celsius fahrenheit kelvin newton ohm volt watt bernoulli pythagoras pantone helvetica arial times roman garamond braille morse kaplan montessori ' +
  'christmas easter ramadan diwali holi eid hanukkah halloween thanksgiving advent carnival lent valentine boxing black friday cyber eve weihnachten ostern pfingsten silvester navidad nochebuena noel toussaint paques pascua semana santa reyes ano nuevo god allah bible koran english british american european asian african indian german french spanish latin dutch swiss danish swedish norwegian finnish belgian austrian irish scottish welsh canadian australian mexican brazilian chinese japanese korean greek turkish polish czech portuguese italian russian ukrainian arabic hebrew victorian georgian edwardian gothic baroque renaissance medieval mediterranean nordic scandinavian asian western eastern christian muslim jewish hindu buddhist catholic protestant ' +
  'north south east west northern southern europe asia africa america atlantic pacific mediterranean baltic alps pyrenees himalaya sahara earth sun moon mars venus dear sir madam mr mrs ms dr prof vat gdpr dsgvo rgpd iso din bgb hgb hr it ai ki ia tv uk us usa eu un ok mdf led dna brexit covid corona olympics parliament congress senate ' +
  'hacienda seguridad social estado gobierno agencia tributaria union europea etat securite sociale urssaf siret siren kbis insee bercy republique france travail wi fi champagne prosecco cheddar parmesan gouda dijon earl grey darjeeling arabica robusta chardonnay riesling merlot';

/** Institutions and people that texts cite as authorities or examples. */
const AUTHORITIES =
  'harvard stanford mit oxford cambridge yale princeton wharton insead mckinsey deloitte gartner forrester accenture bcg pwc kpmg gallup forbes bloomberg nielsen statista bitkom fraunhofer "steve jobs" "elon musk" "jeff bezos" "bill gates" "warren buffett" "simon sinek" "peter drucker" "albert einstein" einstein "henry ford" "brene brown" tesla netflix amazon apple microsoft spacex airbnb uber nike toyota ' +
  'हार्वर्ड हावर्ड मैकिन्से गार्टनर स्टैनफोर्ड डेलॉइट फोर्ब्स "स्टीव जॉब्स" "एलन मस्क" "बिल गेट्स" अमेज़न अमेज़ॉन टेस्ला नेटफ्लिक्स एप्पल';

const GIVEN_NAMES =
  'james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony steven paul andrew kevin brian george edward mary patricia jennifer linda elizabeth barbara susan jessica sarah karen nancy lisa margaret sandra ashley kimberly emily donna michelle carol amanda melissa deborah stephanie rebecca laura sharon cynthia kathleen amy angela anna jane emma olivia sophia alex alice alan arthur ben beth bob brandon charlotte chris claire connor craig dave debbie derek diane dylan edwin eleanor ellen ethan evan fiona fred gary geoff gina gordon graham greg hannah harry hazel heather helen henry howard hugh isaac isabella jacob jake jason jeff jenny jeremy jerry jim joan joe joel jonathan josh judith julie justin kate katie keith ken kyle larry liam logan lucas lucy luke maggie maria martha martin megan mia mike molly nathan nick nina noah oliver oscar owen pam peggy pete philip phoebe rachel ralph randy rebekah ron ross ryan sally sam samantha sara scott sean sheila simon sophie stacy stan ted theresa tim todd tom tony tracy victoria vincent wendy zach zoe ' +
  'hans peter klaus wolfgang jurgen dieter manfred uwe gunter stefan andreas markus matthias jan lukas felix jonas tobias sabine monika petra renate ursula ingrid katrin julia lena claudia birgit heike jana anke antje astrid axel bernd bernhard bettina bjorn carsten christa christoph cornelia daniela dagmar dennis detlef dirk doris eckhard eva fabian florian franziska friedrich georg gerd gerhard gisela gudrun hannes harald hartmut heidi heiko heinrich heinz helga helmut herbert hildegard holger horst ilse ines ingo irene iris jochen joachim johanna johannes jorg jutta karin karl karsten kathrin kerstin konrad kristina kurt lars leon leonie lothar lutz maike manuela margit marion marlene martina maximilian melanie miriam moritz nadine nils norbert olaf patrick philipp rainer ralf regina reinhard reinhold rolf rudiger rudolf ruth sebastian silke simone sven svenja tanja thorsten tina torsten udo ulrich ulrike ute vanessa vera verena volker walter werner wilhelm yvonne ' +
  'jose carlos luis juan javier antonio manuel francisco miguel pedro alejandro carmen ana isabel dolores pilar teresa lucia marta elena sofia cristina adriana alberto alfonso alicia alvaro amparo andrea antonia beatriz begona carlota carolina cesar clara concepcion cristobal diego eduardo emilio enrique ernesto esteban eugenia felipe fernanda fernando gabriela gonzalo guillermo gustavo hector ignacio jaime joaquin jorge josefa julian leticia lorena lorenzo lourdes marcos mariana mario marina mateo mercedes monica natalia nuria pablo paloma paula rafael ramon raquel raul ricardo roberto rocio rodrigo rosario ruben salvador santiago sergio silvia susana tomas veronica vicente victor ximena yolanda ' +
  'jean pierre michel philippe alain nicolas julien antoine francois jacques marie camille nathalie isabelle catherine sylvie celine amelie chloe adrien agathe agnes alexandre anais anne arnaud aurelie baptiste benoit bernard bertrand brigitte bruno carole cecile christelle christian christine christophe clement corinne damien delphine denis didier dominique elodie emilie emmanuel eric estelle etienne fabien fabrice florence frederic gabrielle gerard gilles guillaume guy helene henri herve hugo jacqueline jerome joelle josephine juliette laurence laurent leo lionel louis louise luc lucie marc margaux marianne martine mathieu maxime michele mireille monique noemie odile olivier pascal patrice pauline philippine pierrick quentin raphael regine remi romain roland sandrine sebastien serge solene stephane sylvain theo therese thibault thierry valerie virginie xavier yann yves ' +
  'rahul amit priya anita sunita rajesh suresh ramesh vikram arjun neha pooja kavita anjali rohan sanjay aarav abhishek aditya ajay akash alok amitabh ananya anil ankit arun aryan ashok deepak deepika dinesh divya gaurav geeta harish isha jyoti karan kiran krishna lakshmi mahesh manish manoj meena mohit mukesh naresh nikhil nisha nitin pankaj pradeep prakash pramod preeti rajiv rakesh ravi rekha ritu sachin sandeep shalini shweta siddharth sneha sonia sudha sunil swati tanvi usha vandana varun vijay vinod vivek yash आदित्य अजय अनिल अंकित अशोक दीपक दिनेश दिव्या गौरव हरीश ज्योति महेश मनीष मनोज मीना मोहित मुकेश नरेश निखिल निशा नितिन पंकज प्रदीप प्रमोद राजीव राकेश रेखा ऋतु सचिन संदीप शालिनी श्वेता सिद्धार्थ स्नेहा सुनील स्वाति विनोद विवेक शर्मा वर्मा गुप्ता पटेल मेहता अग्रवाल मिश्रा तिवारी चौधरी रेड्डी नायर अय्यर बनर्जी मुखर्जी जोशी देसाई कपूर मल्होत्रा चोपड़ा बंसल खन्ना सक्सेना श्रीवास्तव राहुल अमित प्रिया अनीता सुनीता राजेश सुरेश रमेश विक्रम अर्जुन नेहा पूजा कविता अंजलि रोहन संजय मोहन सीता गीता रवि';

/** Given names that are also words: they name a person only before a surname. */
const AMBIGUOUS_NAMES =
  'mark martin heather hazel victoria iris carol sally bob stan guy ben jan grant dolores pilar rosario concepcion clara marina salvador paloma marcos mercedes lucia rocio tomas pierre florence roland marc jean serge maxime marion viola mohan geeta मोहन गीता रवि पूजा कविता नेहा रेखा ज्योति ऋतु दीपक निशा विवेक विनोद अशोक स्वाति';

const split = (line: string) =>
  new Set([...line.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, word]) => fold(quoted ?? word!)));

const LANGUAGES = ['en', 'de', 'es', 'fr', 'hi'];
const REGIONS =
  'US GB IE CA AU NZ IN DE AT CH FR BE ES PT IT NL LU SE NO DK FI PL CZ GR TR RU UA JP CN KR BR MX AR CL CO PE ZA NG KE EG MA AE SA IL SG ID VN TH PK BD LK NP'.split(
    ' ',
  );
const TONGUES = 'en de es fr hi it pt nl pl ru ar zh ja ko tr sv'.split(' ');

function calendarNames(language: string): string[] {
  const day = (of: number) => new Date(Date.UTC(2026, 0, 5 + of));
  const days = Array.from({ length: 7 }, (_, at) =>
    day(at).toLocaleString(language, { weekday: 'long', timeZone: 'UTC' }),
  );
  const months = Array.from({ length: 12 }, (_, at) =>
    new Date(Date.UTC(2026, at, 9)).toLocaleString(language, { month: 'long', timeZone: 'UTC' }),
  );
  const regions = new Intl.DisplayNames(language, { type: 'region' });
  const tongues = new Intl.DisplayNames(language, { type: 'language' });
  return [
    ...days,
    ...months,
    ...REGIONS.map((code) => regions.of(code)!),
    ...TONGUES.map((code) => tongues.of(code)!),
  ];
}

const FREE_NAMES = new Set([
  ...split(FREE),
  ...LANGUAGES.flatMap(calendarNames).flatMap((name) => fold(name).split(/[\s-]+/)),
]);

const isFreeName = (word: string): boolean => FREE_NAMES.has(word) || FREE_NAMES.has(word.replace(/s$/, ''));
const AUTHORITY_NAMES: Set<string> = split(AUTHORITIES);
const PERSON_NAMES = split(GIVEN_NAMES);
const NAMES_AND_WORDS = split(AMBIGUOUS_NAMES);

const isPerson = (word: string, hasSurname: boolean): boolean =>
  NAMES_AND_WORDS.has(word) ? hasSurname : PERSON_NAMES.has(word);

const EDGE = '(?![\\p{L}\\p{M}\\p{N}])';
const START = '(?<![\\p{L}\\p{M}\\p{N}])';
const PRODUCT =
  /(?<!\p{L})(?:microsoft|amazon|apple|google) (?:365|teams|excel|word|office|outlook|windows|planner|copilot|forms|to do|web services|seller|marketplace|pay|watch|mail|notes|silicon|analytics|ads|business|search)(?!\p{L})/giu;
const AUTHORITY = new RegExp(`${START}(?:${[...AUTHORITY_NAMES].join('|')})${EDGE}`, 'gu');
const CAPITAL = /(?<![\p{L}\p{M}\p{N}])\p{Lu}[\p{L}\p{M}\p{N}]*(?:['’.&-]\p{L}[\p{L}\p{M}\p{N}]*)*/gu;
/** After these a capital starts a sentence or a quotation. */
const OPENS =
  /(?:^|(?:[.!?:;…।¿¡]|\p{Extended_Pictographic}|\ufe0f)\s?["'”“»«)]*|["“„«‹'‘(–—•\-→>|/]|\n)\s*$|»$/u;
const TITLED =
  /(?<!\p{L})(?:Mrs?|Ms|Dr|Prof|Herr|Herrn|Frau|Sra?|Señora?|Don|Doña|M|Mme|Mlle|Monsieur|Madame|श्री|श्रीमती|डॉ)\.?\s+(?:(?:Dr|Prof)\.?\s+)*(\p{Lu}[\p{L}\p{M}'’-]+|[\p{Script=Devanagari}\p{M}]{2,})/gu;
const COMPANY =
  /(?<!\p{L})((?:\p{Lu}[\p{L}\p{M}&-]*\s){1,3})(?:(?:GmbH|AG|SE|KG|UG|Inc|Ltd|LLC|Corp|SAS|SARL|S\.L|S\.A|Pvt)\b|& (?:Co|Sons|Söhne|Partners?|Associates|Fils|Cie|Hijos)(?!\p{L}))/gu;
/** Every company of the patterns matches this. */
const COMPANY_HINT =
  /& |(?:GmbH|AG|SE|KG|UG|Inc|Ltd|LLC|Corp|SAS|SARL|S\.L|S\.A|Pvt)\b|लिमिटेड|एंड|एंटरप्राइ|इंडस्ट्री|सॉल्यूशंस|टेक्नोलॉजी|ट्रेडर्स/u;
const COMPANY_HI =
  /([\p{Script=Devanagari}\p{M}]+) (?:प्राइवेट लिमिटेड|लिमिटेड|एंड संस|एंड कंपनी|एंटरप्राइज़ेज़|एंटरप्राइजेज|इंडस्ट्रीज़|इंडस्ट्रीज|सॉल्यूशंस|टेक्नोलॉजीज़|टेक्नोलॉजीज|ट्रेडर्स)/gu;
/** "TechNova": nouns have no capital inside, except for forms such as "KundInnen" and names in programs. */
const BRAND = /(?<![\p{L}\p{N}])\p{Lu}\p{Ll}+\p{Lu}\p{Ll}\p{L}*(?![\p{L}(])/gu;
const NO_BRAND = /Innen$|In$|(?:Exception|Error)$|^(?:Mc|Mac|De|Di|Van|Le|La)\p{Lu}/u;
/** A word that may be a given name, with a surname or an honorific after it. */
const PERSON = /[\p{L}\p{M}]+(?=(\s+\p{Lu}[\p{L}\p{M}'’-]+|\s+जी(?!\p{M}))?)/gu;

const isNameFromUser = ({ userWords, context }: ParsedDraft, name: string) =>
  isFreeName(fold(name)) ||
  name
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((part) => part.length > 1 && !(/^\p{Ll}/u.test(part) && /\p{Lu}/u.test(name)))
    .map(fold)
    .every((part) => isFreeName(part) || hasForm(userWords, part, context.language));

/** Faster than the patterns, which few texts need. */
function hasAny(words: Set<string>, isOne: (word: string) => boolean): boolean {
  for (const word of words) if (isOne(word)) return true;
  return false;
}
const AUTHORITY_WORDS = new Set([...AUTHORITY_NAMES].map((name) => name.split(' ')[0]!));
const isAuthorityWord = (word: string) => AUTHORITY_WORDS.has(word);

/** Names that can be found in every language: titles, companies, authorities. */
function* plainNames({ content, folded, words }: ParsedDraft): Generator<string> {
  const candidates = hasAny(words, isAuthorityWord) ? folded.replace(PRODUCT, ' ') : '';
  for (const [found] of candidates.matchAll(AUTHORITY)) {
    if (isCapitalised(content, found)) yield asWritten(content, found, folded);
  }
  for (const [, name] of content.matchAll(TITLED)) yield name!;
  for (const pattern of COMPANY_HINT.test(content) ? [COMPANY, COMPANY_HI] : []) {
    for (const [, words] of content.matchAll(pattern)) {
      const name = words!.split(/\s/).filter((word) => word !== '' && !isFunctionWord(fold(word)));
      if (name.length > 0) yield name.join(' ');
    }
  }
  for (const [brand] of content.matchAll(BRAND)) if (!NO_BRAND.test(brand)) yield brand;
  if (hasAny(words, (word) => isPerson(word, true))) yield* givenNames(content);
}

/** Given names, for languages with capitalised nouns and scripts without capitals. */
function* givenNames(content: string): Generator<string> {
  for (const [word, after = ''] of content.matchAll(PERSON)) {
    if (!/^(?:\p{Lu}|\p{Script=Devanagari})/u.test(word)) continue;
    if (isPerson(fold(word), after !== '')) yield word + (after.trim() === 'जी' ? '' : after);
  }
}

const ACRONYM = /^(?:mit|bcg|pwc|kpmg|insead)$/;

/** "Apple" is a company, "apple" is not. */
function isCapitalised(content: string, found: string): boolean {
  if (!/\p{Script=Latin}/u.test(found)) return true;
  if (ACRONYM.test(found)) return new RegExp(`${START}${found.toUpperCase()}${EDGE}`, 'u').test(content);
  return new RegExp(`${START}${found.replace(/(?<!\S)./g, (first) => first.toUpperCase())}`, 'u').test(
    content,
  );
}

/** "Part II", "Step One" and "Head of Coffee" are no names. */
const LABEL =
  /(?<!\p{L})(?:(?:Part|Step|Phase|Chapter|Level|Stage|Option|Section|Day|Rule) (?:One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten|\p{Lu}+|\d+)|(?:Head|Director|Chief|VP) of \p{Lu}[\p{L}\p{M}]*)(?!\p{L})/gu;

/** Capitalised words inside a sentence, except in languages with capitalised nouns. */
function* capitals({ content: written, context }: ParsedDraft): Generator<string> {
  const content = written
    .replace(PRODUCT, (product) => product.toLowerCase())
    .replace(LABEL, (label) => label.toLowerCase())
    .replace(/<\p{L}+>/gu, (key) => key.toLowerCase());
  if (/^(?:de|lb)\b/.test(context.language)) return;
  let end = -1;
  for (const match of content.matchAll(CAPITAL)) {
    const [word] = match;
    const isNext = end >= 0 && /^\s$/.test(content.slice(end, match.index));
    const isStart = OPENS.test(content.slice(Math.max(0, match.index - 6), match.index)) || match.index === 0;
    end = match.index + word.length;
    // Of two capitalised words at the start of a sentence the second one is a name.
    if (isStart && !isNext) continue;
    if (isShort(word) || isStressed(word, content)) continue;
    yield word;
  }
}

/** "VAT", "CNC", "B2B": abbreviations of a trade. */
const isShort = (word: string) => /^[\p{Lu}\p{N}&.-]{1,5}s?$/u.test(word);

const names: Gate = {
  name: 'names',
  find: (text) => {
    for (const name of [...plainNames(text), ...capitals(text)]) {
      if (isNameFromUser(text, name.replace(/['’]s$/, ''))) continue;
      return {
        forWriter: `It names somebody or something that was not given: ${name}. Leave the name out.`,
        forUser: `It named somebody or something that you did not: ${name}`,
      };
    }
    return undefined;
  },
};

export const NAME_GATES: Gate[] = [names];
