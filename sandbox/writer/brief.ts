import { LANGUAGES, type Language } from './stock.ts';
import { plain } from './words.ts';

/** The brief of a post, as parsed from the prompt. */
export type Brief = {
  angle: string;
  opening: string;
  ending: string;
  limit: 'early' | 'middle' | 'late' | 'ending';
  length: string;
  tone: string;
  language: Language;
  hasEmoji: boolean;
  topic: string;
  description: string;
  keywords: string[];
  author: string;
  reader: string;
  voice: string;
  facts: string[];
  instruction: string;
  avoided: string[];
  /** The opening lines, theses and overused phrases of the latest posts. */
  openings: string[];
  theses: string[];
  overused: string[];
};

const LABELS = [
  'Topic',
  'Description',
  'Keywords',
  'Author',
  'Reader',
  'Voice',
  'Words the author likes',
  'Facts',
  'Instruction',
  'Words the author does not use',
  'Posts the author wrote',
  'Argued already',
  'Opening lines not to repeat',
  'Used up',
  'Tone',
  'Length',
  'Language',
];
/** Only the first occurrence of these labels counts, because later ones can be part of the user's input. */
const FIRST_ONLY = new Set(['Topic', 'Description', 'Keywords', 'Tone']);
const LABEL = new RegExp(`^[\\s>*"'-]*(${LABELS.join('|')})(?: name)?["'*]*[ \\t]*:`, 'gim');

/** The value of each label, up to the next label. */
function readLabels(data: string): Map<string, string> {
  const matches = [...data.matchAll(LABEL)];
  const values = new Map<string, string>();
  matches.forEach((match, index) => {
    const label = LABELS.find((each) => each.toLowerCase() === match[1]!.toLowerCase())!;
    if (FIRST_ONLY.has(label) && values.has(label)) return;
    values.set(
      label,
      data
        .slice(match.index + match[0].length, matches[index + 1]?.index)
        .replace(/```/g, '')
        .trim(),
    );
  });
  return values;
}

const lines = (value = ''): string[] =>
  value
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').trim())
    .filter(Boolean);

const names = (value = ''): string[] =>
  value
    .split(/[,;\n]/)
    .map((each) => plain(each.replace(/^\s*[-*•]\s/, '')))
    .filter(Boolean);

/** The word after a label such as "Angle:". */
const choice = (brief: string, label: string): string =>
  new RegExp(`^${label}: ([a-z-]+)\\.`, 'm').exec(brief)?.[1] ?? '';

function limitOf(brief: string, ending: string): Brief['limit'] {
  const limit = /^Limit: (.*)$/m.exec(brief)?.[1] ?? '';
  if (/third|early|first|before the advice/i.test(limit)) return 'early';
  if (/middle/i.test(limit)) return 'middle';
  return limit !== '' || ending !== 'limit' ? 'late' : 'ending';
}

const TONES = ['professional', 'casual', 'inspirational', 'educational', 'humorous'];

/** The decisions of the brief precede the data. In a prompt without a brief they are empty. */
export function readBrief(prompt: string): Brief {
  const [, , fenced] = /<(data-[\w-]+)>\n([\s\S]*?)\n<\/\1>/.exec(prompt) ?? [];
  const head = fenced === undefined ? prompt : prompt.slice(0, prompt.indexOf(fenced));
  const data = (fenced ?? prompt).replace(/"""\n[\s\S]*?\n"""/g, '');
  const values = readLabels(data);
  const ending = choice(head, 'Ending');
  const tone = /^[\s>*"'-]*tone["'*]*\s*:\W*([a-z]+)/im.exec(head)?.[1]?.toLowerCase() ?? '';
  const language = /^Language: ([a-z]{2})\b/m.exec(head)?.[1];
  const hasNoFacts = /^No facts are there/m.test(head);
  return {
    angle: choice(head, 'Angle'),
    opening: choice(head, 'Opening'),
    ending,
    limit: limitOf(head, ending),
    length: choice(head, 'Length'),
    tone: TONES.includes(tone) ? tone : 'professional',
    language: LANGUAGES.find((each) => each === language) ?? 'en',
    hasEmoji: /^Emoji: (?!none)/m.test(head),
    topic: lines(values.get('Topic'))[0] ?? '',
    description: values.get('Description') ?? '',
    keywords: names(values.get('Keywords')),
    author: values.get('Author') ?? '',
    reader: values.get('Reader') ?? '',
    voice: values.get('Voice') ?? '',
    facts: hasNoFacts ? [] : lines(values.get('Facts')).filter((fact) => fact.length > 8),
    instruction: (values.get('Instruction') ?? '').toLowerCase(),
    avoided: names(values.get('Words the author does not use')),
    openings: lines(values.get('Opening lines not to repeat')),
    theses: lines(values.get('Argued already')),
    overused: lines(values.get('Used up')),
  };
}
