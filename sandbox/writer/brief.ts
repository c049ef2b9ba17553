import { LANGUAGES, type Language } from './stock.ts';
import { plain } from './words.ts';

/** What the prompt says about the post that is wanted. */
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
  /** What the last posts opened with and argued, and which sequences of words they wore out. */
  openings: string[];
  theses: string[];
  worn: string[];
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
/** Of a label that stands several times the first one counts for these: what follows can be part of what was typed. */
const FIRST = new Set(['Topic', 'Description', 'Keywords', 'Tone']);
const LABEL = new RegExp(`^[\\s>*"'-]*(${LABELS.join('|')})(?: name)?["'*]*[ \\t]*:`, 'gim');

/** What stands behind each label, up to the next one. */
function labelled(data: string): Map<string, string> {
  const found = [...data.matchAll(LABEL)];
  const values = new Map<string, string>();
  found.forEach((match, at) => {
    const label = LABELS.find((each) => each.toLowerCase() === match[1]!.toLowerCase())!;
    if (FIRST.has(label) && values.has(label)) return;
    values.set(
      label,
      data
        .slice(match.index + match[0].length, found[at + 1]?.index)
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

/** The word behind "Angle:" and the like. */
const decided = (brief: string, label: string): string =>
  new RegExp(`^${label}: ([a-z-]+)\\.`, 'm').exec(brief)?.[1] ?? '';

function limitOf(brief: string, ending: string): Brief['limit'] {
  const said = /^Limit: (.*)$/m.exec(brief)?.[1] ?? '';
  if (/third|early|first|before the advice/i.test(said)) return 'early';
  if (/middle/i.test(said)) return 'middle';
  return said !== '' || ending !== 'limit' ? 'late' : 'ending';
}

const TONES = ['professional', 'casual', 'inspirational', 'educational', 'humorous'];

/** What was decided stands before the data; a prompt without a brief leaves all of it open. */
export function readBrief(prompt: string): Brief {
  const [, , fenced] = /<(data-[\w-]+)>\n([\s\S]*?)\n<\/\1>/.exec(prompt) ?? [];
  const head = fenced === undefined ? prompt : prompt.slice(0, prompt.indexOf(fenced));
  const data = (fenced ?? prompt).replace(/"""\n[\s\S]*?\n"""/g, '');
  const values = labelled(data);
  const ending = decided(head, 'Ending');
  const tone = /^[\s>*"'-]*tone["'*]*\s*:\W*([a-z]+)/im.exec(head)?.[1]?.toLowerCase() ?? '';
  const language = /^Language: ([a-z]{2})\b/m.exec(head)?.[1];
  const hasNoFacts = /^No facts are there/m.test(head);
  return {
    angle: decided(head, 'Angle'),
    opening: decided(head, 'Opening'),
    ending,
    limit: limitOf(head, ending),
    length: decided(head, 'Length'),
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
    worn: lines(values.get('Used up')),
  };
}
