import { createHash } from 'node:crypto';
import type { FaultKind } from './fault-kinds.ts';
import { similarity, trigrams } from './trigrams.ts';
import { CLOSINGS, CONTEXTS, OPINIONS, PRACTICES } from './writer-blocks.ts';
import { type Brief, readBrief } from './writer-brief.ts';
import { longestAgo, take, type WriterMemory, wasLately } from './writer-memory.ts';
import { TONES } from './writer-tones.ts';

export type Claim = { text: string; fact: number | null };
export type WrittenPost = {
  content: string;
  hashtags: string[];
  thesis: string;
  claims: Claim[];
  /** Of a post that was read once more. */
  findings?: string[];
};

const MAX_OPENING = 200;
const DRAFTS = 6;
const MEMORY = 120;
function randomOf(seed: string): () => number {
  let state = createHash('sha256').update(seed).digest().readUInt32LE();
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Draft = { content: string; used: string[]; thesis: string; claims: Claim[] };

function fill(sentence: string, brief: Brief, random: () => number): string {
  const words = brief.keywords.length > 0 ? brief.keywords : [brief.topic];
  const at = Math.floor(random() * words.length);
  const k = words[at] ?? brief.topic;
  const j =
    words[(at + 1 + Math.floor(random() * Math.max(1, words.length - 1))) % words.length] ?? brief.topic;
  const other = j === k ? (k === brief.topic ? 'the rest of the work' : brief.topic) : j;
  const text = sentence
    .replaceAll('{t}', brief.topic)
    .replaceAll('{T}', brief.topic)
    .replaceAll('{k}', k)
    .replaceAll('{j}', other);
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ');

/** Sentences without a phrase that the prompt calls used up; all of them where none is left. */
function withoutWorn(pool: string[], brief: Brief, random: () => number): string[] {
  const worn = brief.usedUp.map(plain);
  const left = pool.filter((sentence) => {
    const text = plain(fill(sentence, brief, random));
    return !worn.some((phrase) => text.includes(phrase));
  });
  return left.length > 0 ? left : pool;
}

/** An opening that fits above the fold and resembles no line of the prompt, where there is one. */
function chooseOpening(
  memory: WriterMemory,
  brief: Brief,
  random: () => number,
): { template: string; text: string } {
  const leads = withoutWorn([...CONTEXTS, ...OPINIONS], brief, random);
  const ranked = longestAgo(memory, withoutWorn(TONES[brief.tone].openings, brief, random), random).map(
    (template) => {
      const lead = wasLately(memory, template) ? leads[Math.floor(random() * leads.length)]! : '';
      const text = [lead, template]
        .filter(Boolean)
        .map((each) => fill(each, brief, random))
        .join(' ');
      const seen = trigrams(text);
      return { template, text, nearest: Math.max(0, ...brief.said.map((line) => similarity(line, seen))) };
    },
  );
  const short = ranked.filter(({ text }) => text.length <= MAX_OPENING);
  return short.find(({ nearest }) => nearest < 0.5) ?? short[0] ?? ranked[0]!;
}

function draft(memory: WriterMemory, brief: Brief, random: () => number): Draft {
  const blocks = TONES[brief.tone];
  const fresh = (pool: string[]) => withoutWorn(pool, brief, random);
  const isShort = /short/.test(brief.instruction);
  const contexts = take(memory, fresh(CONTEXTS), isShort ? 1 : 2, random);
  const practices = take(memory, fresh(PRACTICES), isShort ? 2 : 3 + Math.floor(random() * 2), random);
  const opinions = take(memory, fresh(OPINIONS), isShort ? 1 : 2, random);
  const [remark = ''] = take(memory, fresh(blocks.remarks), 1, random);
  const endings = fresh([...blocks.closings, ...CLOSINGS]);
  const questions = endings.filter((ending) => ending.endsWith('?'));
  const [closing = ''] = longestAgo(memory, /question/.test(brief.instruction) ? questions : endings, random);
  const opening = chooseOpening(memory, brief, random);
  const say = (sentences: string[]) => sentences.map((each) => fill(each, brief, random)).join(' ');
  const lines = (sentences: string[]) => sentences.map((each) => fill(each, brief, random)).join('\n\n');
  const chosen = Math.floor(random() * brief.facts.length);
  const fact = brief.facts[chosen];
  const claim = fact ? [/[.!?]$/.test(fact) ? fact : `${fact}.`] : [];
  const shapes = [
    [say(contexts), ...claim, lines(practices), say([remark, ...opinions])],
    [
      say(contexts.slice(0, 1)),
      say(practices.slice(0, 2)),
      ...claim,
      say([...contexts.slice(1), remark]),
      say([...practices.slice(2), ...opinions]),
    ],
    [say([remark, ...contexts]), ...claim, say(practices), lines(opinions)],
    [
      ...claim,
      say(contexts),
      say([...opinions.slice(0, 1), ...practices.slice(0, 1)]),
      lines(practices.slice(1)),
      say([...opinions.slice(1), remark]),
    ],
  ];
  const body = shapes[Math.floor(random() * shapes.length)]!;
  return {
    content: [
      opening.text,
      ...body,
      say(wasLately(memory, closing) ? [practices.at(-1)!, closing] : [closing]),
    ]
      .filter(Boolean)
      .join('\n\n'),
    // Several sentences together: each of them alone comes again within a month.
    thesis: say([practices[0]!, opinions[0]!, contexts[0]!]),
    claims: claim.map((text) => ({ text, fact: chosen + 1 })),
    used: [opening.template, closing, remark, ...contexts, ...practices, ...opinions],
  };
}

function hashtagsOf(brief: Brief): string[] {
  const camel = (phrase: string) =>
    phrase
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean)
      .map((word, at) => (at === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1)))
      .join('');
  const pool = [
    ...brief.keywords,
    brief.topic,
    ...brief.topic.split(' ').filter((word) => word.length > 4),
    'worklife',
    'careers',
    'learning',
  ];
  const tags = new Map<string, string>();
  for (const tag of pool.map(camel)) {
    if (tag.length > 1 && tag.length <= 40 && !/^\d+$/.test(tag) && !tags.has(tag.toLowerCase()))
      tags.set(tag.toLowerCase(), tag);
  }
  return [...tags.values()].slice(0, Math.min(5, Math.max(3, brief.keywords.length + 1)));
}

/**
 * Writes a post for the prompt. The same prompts in the same order give the same posts; of several
 * drafts the one least like the earlier posts of its topic is taken.
 */
export function writePost(
  memory: WriterMemory,
  prompt: string,
  counter: number,
  fault: FaultKind | null,
): WrittenPost {
  const brief = readBrief(prompt);
  const random = randomOf(`${counter}\n${prompt}`);
  const earlier = memory.written.get(brief.topic) ?? [];
  const drafts = Array.from({ length: DRAFTS }, () => draft(memory, brief, random)).map((each) => {
    const pieces = trigrams(each.content);
    return { ...each, pieces, nearest: Math.max(0, ...earlier.map((other) => similarity(other, pieces))) };
  });
  const fitting = drafts.filter(({ content }) => content.length >= 600 && content.length <= 1300);
  const best = (fitting.length > 0 ? fitting : drafts).toSorted((a, b) => a.nearest - b.nearest)[0]!;
  memory.posts += 1;
  for (const sentence of best.used) {
    memory.uses.set(sentence, (memory.uses.get(sentence) ?? 0) + 1);
    memory.lastUse.set(sentence, memory.posts);
  }
  memory.written.set(brief.topic, [...earlier, best.pieces].slice(-MEMORY));
  const { thesis, claims } = best;
  const post = { content: best.content, hashtags: hashtagsOf(brief), thesis, claims };
  if (fault === 'writer.too-short') return { ...post, content: `A thought on ${brief.topic}.` };
  if (fault === 'writer.markdown')
    return { ...post, content: `## ${brief.topic}\n\n**Note:** ${best.content}` };
  if (fault === 'writer.placeholder')
    return { ...post, content: `${best.content}\n\nTalk to [Company Name] about it.` };
  return post;
}
