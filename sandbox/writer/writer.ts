import { createHash } from 'node:crypto';
import type { FaultKind } from '#sandbox/server/fault-kinds.ts';
import { type Brief, readBrief } from './brief.ts';
import { type Composed, compose } from './compose.ts';
import { authorOf, remember, type WriterMemory } from './memory.ts';
import { stockOf, type Texts } from './stock.ts';
import { type AuthorMemory, REUSE_AFTER_POSTS, Voice, wordsOfTopic } from './voice.ts';
import { alike, plain, sentencesOf, short } from './words.ts';

export type Claim = { text: string; fact: number | null };
export type WrittenPost = {
  content: string;
  hashtags: string[];
  thesis: string;
  claims: Claim[];
  /** Only of a reviewed post. */
  findings?: string[];
};

const numberOf = (seed: string) => createHash('sha256').update(seed).digest().readUInt16LE() / 65_536;

/** How many posts ago a scene was used, by this process's memory and by the theses in the prompt. */
function ageOf({ brief, scene, memory }: Voice): number {
  const texts = [...scene.byRole.values()].flat();
  const last = Math.max(-1, ...texts.map((text) => memory.uses.get(text) ?? -1));
  const inPrompt = brief.theses.findIndex((thesis) =>
    texts.some((text) => text.startsWith(thesis.slice(0, 40))),
  );
  return Math.min(
    last < 0 ? REUSE_AFTER_POSTS : memory.posts - last,
    inPrompt < 0 ? REUSE_AFTER_POSTS : inPrompt + 1,
  );
}

const COST = { fault: 90, age: 14, near: 22 };

/** Composes the post in every scene and returns the one with the lowest cost. */
export function composeBest(
  memory: AuthorMemory,
  brief: Brief,
  counter: number,
  without: string[] = [],
  only?: Texts,
) {
  const stock = stockOf(brief.language);
  const turn = brief.angle ? memory.posts : counter;
  const drafts = (only ? [only] : stock.scenes).map((scene) => {
    const voice = new Voice(brief, stock, scene, memory);
    const composed = compose(voice, turn, without);
    const age = ageOf(voice);
    const young = Math.max(0, Math.min(stock.scenes.length, REUSE_AFTER_POSTS) - age);
    const near = age < REUSE_AFTER_POSTS ? Math.min(0, voice.nearness) : voice.nearness;
    const chance = numberOf(`${brief.author} ${brief.topic} ${scene.name} ${counter}`);
    const cost = composed.faults * COST.fault + young * COST.age - near * COST.near + chance * COST.near;
    return { voice, composed, cost };
  });
  return drafts.reduce((best, each) => (each.cost < best.cost ? each : best));
}

const THESIS_ROLES = [
  'thesis',
  'taken',
  'still',
  'skipped',
  'after',
  'claim',
  'other',
  'stop',
  'wrong',
  'next',
];

/** A sentence of the scene that is the thesis of no earlier post. */
export function thesisOf({ brief, scene, words, memory }: Voice, { texts }: Pick<Composed, 'texts'>): string {
  const inText = new Set(texts.map(({ template }) => template));
  const all = THESIS_ROLES.flatMap((role) => scene.byRole.get(role) ?? []);
  const sorted = [...all.slice(0, 1), ...all.filter((text) => inText.has(text)), ...all];
  const filled = sorted.map((text) => text.replace(/\{[tk]\}/g, words.at(-1)!));
  const isNew = (text: string) => !brief.theses.some((thesis) => alike(thesis, text) >= 0.3);
  return (
    filled.find((text) => isNew(text) && !memory.uses.has(`thesis ${text}`)) ??
    filled.find(isNew) ??
    filled[0]!
  );
}

export function claimsOf({ texts }: Pick<Composed, 'texts'>): Claim[] {
  return texts.flatMap(({ text, fact }) =>
    fact ? sentencesOf(text).map((sentence) => ({ text: sentence.trim(), fact })) : [],
  );
}

export function hashtagsOf(brief: Brief): string[] {
  const camel = (phrase: string) =>
    plain(phrase)
      .split(/[^\p{L}\p{N}\p{M}]+/u)
      .filter(Boolean)
      .map((word, index) => (index === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1)))
      .join('');
  const [name = ''] = wordsOfTopic(brief, '');
  const single = name.split(' ').filter((word) => word.length > 4);
  const pool = [
    ...brief.keywords,
    name,
    ...single,
    ...(stockOf(brief.language).frames.byRole.get('tag') ?? []),
  ];
  const tags = new Map<string, string>();
  for (const tag of pool.map((each) => camel(short(each)))) {
    const isTag = tag.length > 1 && tag.length <= 40 && /^\p{L}/u.test(tag) && !/^\p{N}+$/u.test(tag);
    if (isTag && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag);
  }
  return [...tags.values()].slice(0, Math.min(5, Math.max(3, brief.keywords.length + 1)));
}

/** Appends the emoji of the scene to the first paragraph after the opening that is no list. */
function withEmoji({ brief, scene }: Voice, paragraphs: string[]): string[] {
  const [emoji] = scene.byRole.get('emoji') ?? [];
  const target = paragraphs.findIndex((paragraph, index) => index > 0 && !paragraph.includes('\n'));
  return brief.hasEmoji && emoji
    ? paragraphs.map((each, index) => (index === target ? `${each} ${emoji}` : each))
    : paragraphs;
}

/** One of seven posts omits its limit, so that the review has something to find. */
const OMIT_EVERY = 7;
const omitsLimit = ({ angle, limit }: Brief, { posts }: AuthorMemory) =>
  angle !== '' && limit !== 'ending' && posts % OMIT_EVERY === 3;

export function writeFor(
  memory: WriterMemory,
  brief: Brief,
  counter: number,
  without: string[] = [],
): WrittenPost {
  const author = authorOf(memory, brief);
  const omitted = omitsLimit(brief, author) ? ['limit'] : [];
  const { voice, composed } = composeBest(author, brief, counter, [...without, ...omitted]);
  const thesis = thesisOf(voice, composed);
  remember(memory, author, composed, thesis);
  const content = withEmoji(voice, composed.paragraphs).join('\n\n');
  return { content, hashtags: hashtagsOf(brief), thesis, claims: claimsOf(composed) };
}

/** Deterministic: the same prompts in the same order give the same posts. */
export function writePost(
  memory: WriterMemory,
  prompt: string,
  counter: number,
  fault: FaultKind | null,
): WrittenPost {
  const brief = readBrief(prompt);
  return withFault(writeFor(memory, brief, counter), brief, fault);
}

export function withFault(post: WrittenPost, brief: Brief, fault: FaultKind | null): WrittenPost {
  const topic = short(brief.topic);
  if (fault === 'writer.too-short') return { ...post, content: `A thought on ${topic}.` };
  if (fault === 'writer.markdown') return { ...post, content: `## ${topic}\n\n**Note:** ${post.content}` };
  if (fault === 'writer.placeholder')
    return { ...post, content: `${post.content}\n\nTalk to [Company Name] about it.` };
  return post;
}
