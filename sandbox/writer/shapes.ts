import type { Brief } from './brief.ts';

/**
 * What stands in a post, in its order; an array is one paragraph. A number behind a part says when it is added: those
 * without one always, the others in their order, while there is room.
 */
type Shape = string[][];

const SHAPES: Record<string, Shape> = {
  'how-to': [
    ['opening'],
    ['problem:1', 'remark:3'],
    ['limit:early'],
    ['example:5'],
    ['fact:0', 'bridge:2'],
    ['step:1', 'step:4', 'step:4', 'skipped'],
    ['limit:middle'],
    ['against:7', 'still:7'],
    ['second:6'],
    ['reader:8', 'price:9'],
    ['limit:late'],
    ['ending'],
  ],
  opinion: [
    ['opening'],
    ['claim:2', 'problem:3'],
    ['limit:early'],
    ['fact:0', 'bridge:4'],
    ['against', 'still'],
    ['limit:middle'],
    ['example:5', 'remark:3'],
    ['second:6'],
    ['price:7', 'reader:8'],
    ['after:9'],
    ['limit:late'],
    ['ending'],
  ],
  mistake: [
    ['opening'],
    ['fact', 'unseen'],
    ['limit:early'],
    ['bridge:1', 'problem:2'],
    ['step:1', 'step:4', 'skipped:3'],
    ['limit:middle'],
    ['example:5', 'remark:3'],
    ['second:6'],
    ['reader:8', 'price:9'],
    ['after:7'],
    ['limit:late'],
    ['ending'],
  ],
  story: [
    ['opening'],
    ['fact', 'bridge'],
    ['limit:early'],
    ['problem:1', 'remark:3'],
    ['second:2'],
    ['example:4'],
    ['limit:middle'],
    ['step:5', 'skipped:5'],
    ['after:6', 'reader:8'],
    ['price:9'],
    ['limit:late'],
    ['ending'],
  ],
  checklist: [
    ['opening'],
    ['problem:2', 'remark:4'],
    ['limit:early'],
    ['fact:0', 'bridge:3'],
    ['points'],
    ['wrong'],
    ['limit:middle'],
    ['example:5'],
    ['against:8', 'still:8'],
    ['second:6'],
    ['price:7', 'reader:8'],
    ['limit:late'],
    ['ending'],
  ],
  question: [
    ['opening'],
    ['fact'],
    ['claim', 'problem:1'],
    ['limit:early'],
    ['bridge:4'],
    ['step:2', 'skipped:3', 'step:5'],
    ['limit:middle'],
    ['example:4', 'remark:3'],
    ['second:6'],
    ['reader:8', 'price:9'],
    ['against:7', 'still:7'],
    ['limit:late'],
    ['ending'],
  ],
  decision: [
    ['opening'],
    ['problem:2', 'remark:4'],
    ['limit:early'],
    ['ways'],
    ['fact:0', 'bridge:3'],
    ['taken', 'price:1'],
    ['limit:middle'],
    ['example:4'],
    ['other'],
    ['second:6'],
    ['against:7', 'still:7', 'reader:8'],
    ['limit:late'],
    ['ending'],
  ],
};

const ENDINGS: Record<string, string> = {
  limit: 'limit',
  'next-step': 'next',
  question: 'question',
  consequence: 'after',
  price: 'price',
  detail: 'detail',
  stop: 'stop',
};
const OPENINGS: Record<string, string> = {
  scene: 'scene',
  object: 'thing',
  claim: 'claim',
  question: 'asks',
  situation: 'situation',
  instruction: 'instruction',
  number: 'fact',
  admission: 'fact',
};
const LENGTHS: Record<string, number> = { short: 90, medium: 150, long: 200, longest: 250 };

/** What an instruction that a person typed asks for, in any of the languages of the stock. */
const ASKED = {
  shorter:
    /short|brief|concise|kürz|knapp|kurz|más cort|corto|breve|court|bref|छोट|संक्षिप्त|più cort|kort|curt/i,
  longer:
    /longer|more detail|länger|ausführlich|más larg|detall|plus long|détail|लंब|विस्तार|più lung|langer|mais long/i,
  personal: /personal|persönlich|personnel|निजी|व्यक्तिगत|pessoal|persoonlijk|my own|our own/i,
  question: /question|frage|pregunta|सवाल|प्रश्न|domanda|vraag|pergunta/i,
  list: /\blist|checklist|bullet|liste|lista|सूची|lijst/i,
  example: /example|beispiel|ejemplo|exemple|उदाहरण|esempio|voorbeeld|exemplo/i,
};
export const asksFor = (brief: Pick<Brief, 'instruction'>, what: keyof typeof ASKED) =>
  ASKED[what].test(brief.instruction);

export type Part = { role: string; when: number };
export type Plan = {
  paragraphs: Part[][];
  opening: string;
  words: number;
  wantsExample: boolean;
  isPersonal: boolean;
};

const KINDS = Object.keys(SHAPES);
const WITHOUT_FACTS = ['how-to', 'opinion', 'checklist', 'decision'];

/** Whatever the prompt left open comes in turn. */
const inTurn = (kinds: string[], given: string, turn: number) =>
  kinds.includes(given) ? given : kinds[turn % kinds.length]!;

function lengthOf(brief: Brief, turn: number): number {
  const words = LENGTHS[inTurn(Object.keys(LENGTHS), brief.length, turn)]!;
  if (asksFor(brief, 'shorter')) return Math.max(75, Math.min(words - 50, 110));
  return asksFor(brief, 'longer') ? Math.min(words + 60, 270) : words;
}

function endingOf(brief: Brief, turn: number): string {
  if (asksFor(brief, 'question')) return 'question';
  return (
    ENDINGS[brief.ending] ??
    inTurn(
      Object.values(ENDINGS).filter((each) => each !== 'detail'),
      '',
      turn,
    )
  );
}

/** The shape that a brief asks for; `turn` decides what it leaves open. */
export function planOf(brief: Brief, turn: number): Plan {
  const kinds = brief.facts.length > 0 ? KINDS : WITHOUT_FACTS;
  const angle = asksFor(brief, 'list') ? 'checklist' : inTurn(kinds, brief.angle, turn);
  const opening =
    OPENINGS[brief.opening] ??
    inTurn(['claim', 'situation', 'thing', 'instruction', 'asks', 'scene'], '', turn);
  const ending = endingOf(brief, turn);
  const isPersonal = asksFor(brief, 'personal');
  const parts = SHAPES[angle]!.map((paragraph) =>
    paragraph.flatMap((each) =>
      partOf(each, { ...brief, limit: ending === 'limit' ? 'ending' : brief.limit }, opening, ending),
    ),
  );
  const facts = isPersonal ? parts.filter(isFacts) : [];
  const [first = [], ...rest] = isPersonal ? parts.filter((each) => !isFacts(each)) : parts;
  return {
    paragraphs: [first, ...facts, ...rest],
    opening,
    words: lengthOf(brief, turn),
    wantsExample: asksFor(brief, 'example'),
    isPersonal,
  };
}

const isFacts = (paragraph: Part[]) => paragraph.some(({ role }) => role === 'fact');

function partOf(part: string, brief: Brief, opening: string, ending: string): Part[] {
  const [role = '', detail = ''] = part.split(':');
  if (role === 'limit') return detail === brief.limit ? [{ role, when: 0 }] : [];
  if (role === 'ending') return [{ role: ending, when: 0 }];
  if (role === 'opening') return [{ role: opening, when: 0 }];
  // What the post begins or ends with is not said in between.
  if (role === opening || role === ending) return [];
  // A limit that comes early needs to be the limit of something.
  const isNeeded = role === 'problem' && brief.limit === 'early';
  return [{ role, when: isNeeded ? 0 : Number(detail) }];
}
