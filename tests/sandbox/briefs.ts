import {
  type Brief,
  type BriefKinds,
  decideBrief,
  type UserFact,
} from '#app/domain/writing/generate/brief.ts';
import { openingOf, repeatedPhrases } from '#app/domain/writing/generate/context.ts';
import { buildPrompt, type PromptTopic } from '#app/domain/writing/generate/prompt.ts';
import { createWriterMemory, type WriterMemory } from '#sandbox/writer/memory.ts';
import { type WrittenPost, writePost } from '#sandbox/writer/writer.ts';

export const TOPIC: PromptTopic = {
  name: 'Weekly planning for small teams',
  description: 'How a team plans a week without meetings that eat the week.',
  keywords: ['planning', 'focus', 'small teams'],
};
export const FACTS: UserFact[] = [
  { id: '1', kind: 'project', content: 'We moved our planning from Monday morning to Friday afternoon' },
  {
    id: '2',
    kind: 'lesson',
    content: 'I once planned a whole quarter in one day and threw the plan away in week two',
  },
  { id: '3', kind: 'number', content: 'Our weekly plan shrank from 31 lines to 6.' },
  { id: '4', kind: 'question', content: 'How do you plan when half the week is phone calls?' },
];

const BRIEF: Brief = {
  topic: TOPIC.name,
  angle: 'how-to',
  opening: 'object',
  ending: 'next-step',
  limit: 'middle',
  length: 'medium',
  reader: '',
  author: '',
  language: 'en',
  tone: 'professional',
  hasEmoji: false,
  instruction: null,
  facts: [],
};

type Given = {
  topic?: PromptTopic;
  voice?: { voiceNotes?: string; wordsToUse?: string[]; wordsToAvoid?: string[] };
  openings?: string[];
  theses?: string[];
  phrases?: string[];
};

export function messagesFor(change: Partial<Brief> = {}, given: Given = {}) {
  const topic = given.topic ?? TOPIC;
  const voice = { voiceNotes: '', wordsToUse: [], wordsToAvoid: [], ...given.voice };
  const before = { theses: [], openings: [], closings: [], phrases: [], ...given };
  return buildPrompt({ ...BRIEF, topic: topic.name, ...change }, { ...before, topic, voice, examples: [] })
    .messages;
}

export const promptFor = (change: Partial<Brief> = {}, given: Given = {}): string =>
  messagesFor(change, given)
    .map(({ content }) => content)
    .join('\n\n');

/** One post for a brief, by a writer that wrote none before. */
export const writeOne = (change: Partial<Brief> = {}, given: Given = {}): WrittenPost =>
  writePost(createWriterMemory(), promptFor(change, given), 0, null);

export type Series = { brief: Brief; post: WrittenPost }[];

/** Posts in a row of one author, as the product asks for them. */
export function writeSeries(
  count: number,
  frame: Partial<Brief> = {},
  facts: UserFact[] = [],
  given: Given = {},
  memory: WriterMemory = createWriterMemory(),
): Series {
  const series: Series = [];
  const made: BriefKinds[] = [];
  for (let at = 0; at < count; at += 1) {
    const turns = facts.map((_, index) => facts[(index + at) % facts.length]!);
    const brief = decideBrief({ ...BRIEF, ...frame }, turns, { before: made, after: [] });
    const texts = series.map(({ post }) => post.content).reverse();
    const said = brief.facts.map(({ content }) => content).join('\n');
    const topic = given.topic ?? TOPIC;
    const before = {
      theses: series
        .map(({ post }) => post.thesis)
        .reverse()
        .slice(0, 30),
      openings: texts.slice(0, 10).map(openingOf),
      phrases: repeatedPhrases(
        texts.slice(0, 30),
        `${topic.name}\n${topic.keywords.join('\n')}\n${said}`,
      ).slice(0, 40),
    };
    const post = writePost(memory, promptFor(brief, { ...given, ...before }), at, null);
    series.push({ brief, post });
    made.unshift(brief);
  }
  return series;
}
