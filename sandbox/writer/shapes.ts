import type { Brief } from './brief.ts';

/**
 * The parts of a post; each array is one paragraph. Parts without a number are required, the others are added in the order
 * of their number until the post is long enough.
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

/** Keywords of instructions in the languages of the stock. */
const INSTRUCTIONS = {
  shorter:
    /short|brief|concise|kürz|knapp|kurz|más cort|corto|breve|court|bref|छोट|संक्षिप्त|più cort|kort|curt/i,
  longer:
    /longer|more detail|länger|ausführlich|más larg|detall|plus long|détail|लंब|विस्तार|più lung|langer|mais long/i,
  personal: /personal|persönlich|personnel|निजी|व्यक्तिगत|pessoal|persoonlijk|my own|our own/i,
  question: /question|frage|pregunta|सवाल|प्रश्न|domanda|vraag|pergunta/i,
  list: /\blist|checklist|bullet|liste|lista|सूची|lijst/i,
  example: /example|beispiel|ejemplo|exemple|उदाहरण|esempio|voorbeeld|exemplo/i,
};
export const hasInstruction = (brief: Pick<Brief, 'instruction'>, kind: keyof typeof INSTRUCTIONS) =>
  INSTRUCTIONS[kind].test(brief.instruction);

export type Part = { role: string; rank: number };
export type Plan = {
  paragraphs: Part[][];
  opening: string;
  words: number;
  wantsExample: boolean;
  isPersonal: boolean;
};

const KINDS = Object.keys(SHAPES);
const WITHOUT_FACTS = ['how-to', 'opinion', 'checklist', 'decision'];

/** The requested kind, or the next one in turn when the prompt names none. */
const inTurn = (kinds: string[], requested: string, turn: number) =>
  kinds.includes(requested) ? requested : kinds[turn % kinds.length]!;

function lengthOf(brief: Brief, turn: number): number {
  const words = LENGTHS[inTurn(Object.keys(LENGTHS), brief.length, turn)]!;
  if (hasInstruction(brief, 'shorter')) return Math.max(75, Math.min(words - 50, 110));
  return hasInstruction(brief, 'longer') ? Math.min(words + 60, 270) : words;
}

function endingOf(brief: Brief, turn: number): string {
  if (hasInstruction(brief, 'question')) return 'question';
  return (
    ENDINGS[brief.ending] ??
    inTurn(
      Object.values(ENDINGS).filter((each) => each !== 'detail'),
      '',
      turn,
    )
  );
}

/** `turn` decides what the brief leaves open. */
export function planOf(brief: Brief, turn: number): Plan {
  const kinds = brief.facts.length > 0 ? KINDS : WITHOUT_FACTS;
  const angle = hasInstruction(brief, 'list') ? 'checklist' : inTurn(kinds, brief.angle, turn);
  const opening =
    OPENINGS[brief.opening] ??
    inTurn(['claim', 'situation', 'thing', 'instruction', 'asks', 'scene'], '', turn);
  const ending = endingOf(brief, turn);
  const isPersonal = hasInstruction(brief, 'personal');
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
    wantsExample: hasInstruction(brief, 'example'),
    isPersonal,
  };
}

const isFacts = (paragraph: Part[]) => paragraph.some(({ role }) => role === 'fact');

function partOf(part: string, brief: Brief, opening: string, ending: string): Part[] {
  const [role = '', detail = ''] = part.split(':');
  if (role === 'limit') return detail === brief.limit ? [{ role, rank: 0 }] : [];
  if (role === 'ending') return [{ role: ending, rank: 0 }];
  if (role === 'opening') return [{ role: opening, rank: 0 }];
  // The roles of the opening and the ending are not used in between.
  if (role === opening || role === ending) return [];
  // An early limit needs the problem that it refers to.
  const isNeeded = role === 'problem' && brief.limit === 'early';
  return [{ role, rank: isNeeded ? 0 : Number(detail) }];
}
