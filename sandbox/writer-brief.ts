import { trigrams } from './trigrams.ts';
import type { Tone } from './writer-tones.ts';

/** What the prompt says about the post that is wanted. */
export type Brief = {
  topic: string;
  keywords: string[];
  tone: Tone;
  facts: string[];
  instruction: string;
  /** Phrases that earlier posts have too often. */
  usedUp: string[];
  /** The pieces of every line of the prompt, so that no opening repeats one. */
  said: Set<string>[];
};

const TONE_NAMES: Tone[] = ['professional', 'casual', 'inspirational', 'educational', 'humorous'];
const FILLER = new Set(
  'about above after again against among around because before being between their there these those through under using where which while with without your from that this have will would should could into than then them they what when how why for and the our are was not all any more most new good better best'.split(
    ' ',
  ),
);

function clean(value: string): string {
  return value
    .trim()
    .replace(/^["'`]+|["'`,]+$/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The value of the first line "name: value", whatever the case and whatever bullets stand before it. */
function field(prompt: string, names: string): string {
  const line = new RegExp(`^[\\s>*"'-]*(?:${names})["'*]*\\s*[:=]\\s*(\\S.*)$`, 'im').exec(prompt);
  return clean(line?.[1] ?? '');
}

/** The values of "name: a, b", of a JSON list, or of the bullet lines that follow "name:". */
function list(prompt: string, names: string): string[] {
  const start = new RegExp(`^[\\s>*"'-]*(?:${names})[^:=\\n]{0,60}[:=][ \\t]*(.*)$`, 'im').exec(prompt);
  if (!start) return [];
  const inline = clean((start[1] ?? '').replace(/^\[|\]\s*,?$/g, ''));
  if (inline && !/^\(?(none|no\b|-)/i.test(inline)) return inline.split(/[,;]/).map(clean).filter(Boolean);
  const after = prompt
    .slice(start.index + start[0].length)
    .split('\n')
    .slice(1);
  const end = after.findIndex((line) => !/^\s*(?:[-*•]|\d+[.)])\s+\S/.test(line));
  return after
    .slice(0, end === -1 ? undefined : end)
    .map((line) => clean(line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '')));
}

/** As it reads inside a sentence: "Remote Teams" is lowered, "AI", "LinkedIn" and known capitals stay. */
function inSentence(phrase: string, description: string): string {
  const words = phrase.split(' ');
  const isTitle = words.length > 1 && words.filter((word) => /^[A-Z]/.test(word)).length > 1;
  return words
    .map((word, at) => {
      const plain = /^[A-Z][a-z-]+$/.test(word) && (at === 0 || isTitle);
      const isName = new RegExp(`[a-z,] ${word}\\b`).test(description);
      return plain && !isName ? word.toLowerCase() : word;
    })
    .join(' ');
}

function significant(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}{5,}/gu) ?? [];
  return [...new Set(words)].filter((word) => !FILLER.has(word));
}

export function readBrief(prompt: string): Brief {
  const description = field(prompt, 'topic description|description|about');
  const named = field(prompt, 'topic name|topic|subject|name') || description.split(/[.;]/)[0] || '';
  const topic =
    clean(named)
      .replace(/[.!?]+$/, '')
      .slice(0, 90) || 'everyday work';
  const keywords = list(prompt, 'topic keywords|keywords?').map((each) => each.slice(0, 50));
  const spare = significant(description).filter((word) => !topic.toLowerCase().includes(word));
  const asked = field(prompt, 'tone of voice|tone').toLowerCase();
  const lowered = keywords.map((keyword) => inSentence(keyword, description));
  return {
    topic: inSentence(topic, description),
    keywords: [...new Set(lowered.length > 1 ? lowered : [...lowered, ...spare.slice(0, 3)])],
    tone: TONE_NAMES.find((tone) => asked.includes(tone)) ?? 'professional',
    facts: list(prompt, "facts?|the user's facts|true statements").filter((fact) => fact.length > 8),
    instruction: field(prompt, 'instruction|rewrite instruction|change').toLowerCase(),
    usedUp: list(prompt, 'used up'),
    said: prompt
      .split('\n')
      .filter((line) => line.trim().length > 20)
      .map(trigrams),
  };
}
