import { fold } from './word-forms.ts';

/** What anybody may write with a capital although nobody gave it: tools, methods, standards, places of the calendar. */
const FREE =
  'new york london paris berlin madrid vienna delhi mumbai allen stanley phillips torx bosch makita saas rohs ' +
  'i linkedin excel word powerpoint outlook office windows mac macos linux google docs sheets drive calendar gmail slack teams zoom whatsapp signal telegram notion trello jira asana confluence miro figma photoshop github gitlab git python java javascript typescript sql postgres postgresql docker kubernetes wordpress shopify instagram facebook youtube tiktok pinterest canva pdf csv iphone android bluetooth wifi wi-fi internet usb chatgpt ' +
  'scrum kanban lean agile gantt pareto okr kaizen eisenhower pomodoro sigma swot raci kpi bauhaus ' +
  'christmas easter ramadan diwali holi eid weihnachten ostern navidad noel paques god allah english british american european asian african indian german french spanish latin ' +
  'north south east west europe asia africa america atlantic pacific mediterranean alps earth sun moon dear sir madam mr mrs ms dr prof vat gdpr dsgvo bgb hr it ai ki ia tv uk us usa eu un ok mdf led dna';

/** Whom texts call upon for authority without having read them, and whom a model takes for an example. */
const AUTHORITIES =
  'harvard stanford mit oxford cambridge yale princeton wharton insead mckinsey deloitte gartner forrester accenture bcg pwc kpmg gallup forbes bloomberg nielsen statista bitkom fraunhofer "steve jobs" "elon musk" "jeff bezos" "bill gates" "warren buffett" "simon sinek" "peter drucker" "albert einstein" einstein "henry ford" "brene brown" tesla netflix amazon apple microsoft spacex airbnb uber nike toyota ' +
  'हार्वर्ड हावर्ड मैकिन्से गार्टनर स्टैनफोर्ड डेलॉइट फोर्ब्स "स्टीव जॉब्स" "एलन मस्क" "बिल गेट्स" अमेज़न अमेज़ॉन टेस्ला नेटफ्लिक्स एप्पल';

/** Given names that a reader takes for a person, of the five languages; a German noun is written like one. */
const GIVEN_NAMES =
  'james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony mark steven paul andrew kevin brian george edward mary patricia jennifer linda elizabeth barbara susan jessica sarah karen nancy lisa margaret sandra ashley kimberly emily donna michelle carol amanda melissa deborah stephanie rebecca laura sharon cynthia kathleen amy angela anna jane emma olivia sophia alex ' +
  'hans peter klaus wolfgang jurgen dieter manfred uwe gunter stefan andreas markus matthias jan lukas felix jonas tobias sabine monika petra renate ursula ingrid katrin julia lena hannah claudia birgit heike ' +
  'jose carlos luis juan javier antonio manuel francisco miguel pedro alejandro maria carmen ana isabel dolores pilar teresa lucia marta elena sofia cristina ' +
  'jean pierre michel philippe alain nicolas julien antoine francois jacques marie sophie camille nathalie isabelle catherine sylvie celine claire amelie chloe ' +
  'rahul amit priya anita sunita rajesh suresh ramesh vikram arjun neha pooja kavita anjali rohan sanjay राहुल अमित प्रिया अनीता सुनीता राजेश सुरेश रमेश विक्रम अर्जुन नेहा पूजा कविता अंजलि रोहन संजय मोहन सीता गीता रवि';

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

export const isFreeName = (word: string): boolean => FREE_NAMES.has(word);
export const AUTHORITY_NAMES: Set<string> = split(AUTHORITIES);
export const PERSON_NAMES: Set<string> = split(GIVEN_NAMES);
