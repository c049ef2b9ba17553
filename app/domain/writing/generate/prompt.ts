import { randomBytes } from 'node:crypto';
import type { Message, Picture } from '#app/integrations/openai/ask.ts';
import type { Brief } from './brief.ts';
import { partOf, TEXTS } from './load-prompts.ts';

export type PromptTopic = { name: string; description: string; keywords: string[] };

/** What a person gave, and what was written for them before. */
export type PromptData = {
  topic: PromptTopic;
  voice: { voiceNotes: string; wordsToUse: string[]; wordsToAvoid: string[] };
  /** Posts that the author wrote, as examples of their voice. */
  examples: string[];
  /** What the last posts argue, and how they open and close. */
  theses: string[];
  openings: string[];
  closings: string[];
  /** Word sequences that several of the last posts have. */
  phrases: string[];
};

const list = (lines: string[]) => lines.map((line) => `- ${inLine(line)}`).join('\n');
const inLine = (text: string) => text.replace(/\s*\n\s*/g, ' ');
const indented = (text: string) => text.replaceAll('\n', '\n  ');

/** What was decided, in words for the writer. All of it is ours but the language's name. */
function briefLines({
  angle,
  opening,
  ending,
  limit,
  length,
  tone,
  language,
  hasEmoji,
  facts,
}: Brief): string {
  const lines = [
    `Angle: ${angle}. ${partOf('angle', angle)}`,
    `Opening: ${opening}. ${partOf('opening', opening)}`,
    `Ending: ${ending}. ${partOf('ending', ending)}`,
    limit !== 'ending' && `Limit: ${partOf('limit', limit)}`,
    `Length: ${length}. ${partOf('length', length)}`,
    `Tone: ${tone}. ${indented(partOf('tone', tone))}`,
    `Language: ${language}`,
    `Emoji: ${hasEmoji ? 'one or two, where they say something' : 'none'}`,
    facts.length === 0 && 'No facts are there: claim nothing about the author. Write opinion and how-to.',
  ];
  return lines.filter(Boolean).join('\n');
}

/** What people gave. `given` is what the text may claim. */
function dataLines(brief: Brief, { topic, voice, ...before }: PromptData) {
  const given = [
    `Topic: ${topic.name}`,
    topic.description && `Description: ${topic.description}`,
    topic.keywords.length > 0 && `Keywords: ${topic.keywords.join(', ')}`,
    brief.author && `Author: ${brief.author}`,
    brief.reader && `Reader: ${brief.reader}`,
    voice.voiceNotes && `Voice: ${voice.voiceNotes}`,
    voice.wordsToUse.length > 0 && `Words the author likes: ${voice.wordsToUse.join(', ')}`,
    brief.facts.length > 0 &&
      `Facts:\n${brief.facts.map(({ content }, at) => `${at + 1}. ${inLine(content)}`).join('\n')}`,
    brief.instruction && `Instruction: ${inLine(brief.instruction)}`,
  ];
  const others = [
    voice.wordsToAvoid.length > 0 && `Words the author does not use: ${voice.wordsToAvoid.join(', ')}`,
    before.examples.length > 0 &&
      `Posts the author wrote:\n${before.examples.map((text) => `"""\n${text}\n"""`).join('\n')}`,
    before.theses.length > 0 && `Argued already:\n${list(before.theses)}`,
    before.openings.length > 0 && `Opening lines not to repeat:\n${list(before.openings)}`,
    before.closings.length > 0 && `Closing lines not to repeat:\n${list(before.closings)}`,
    before.phrases.length > 0 && `Used up:\n${list(before.phrases)}`,
  ];
  return { given: given.filter(Boolean).join('\n'), others: others.filter(Boolean).join('\n') };
}

/**
 * What people typed, between two marker lines that are different for every request, so that no text can end the
 * block early.
 */
function fence(typed: string): string {
  const marker = `data-${randomBytes(9).toString('base64url')}`;
  return `<${marker}>\n${typed.replaceAll(marker, '')}\n</${marker}>`;
}

/** What the writer is asked. `given` is what the text may claim; earlier posts do not belong to it. */
export function buildPrompt(brief: Brief, data: PromptData): { messages: Message[]; given: string } {
  const { given, others } = dataLines(brief, data);
  const fenced = fence([given, others].filter(Boolean).join('\n'));
  return {
    given,
    messages: [
      { role: 'system', content: TEXTS.instructions },
      { role: 'user', content: `The brief:\n${briefLines(brief)}\n\nThe data:\n${fenced}` },
    ],
  };
}

/** The writer is asked what a picture beside a post shows; `language` is that of the post, when it is known. */
export const altTextPrompt = (picture: Picture, post: string, language: string | undefined): Message[] => [
  { role: 'system', content: TEXTS.picture },
  {
    role: 'user',
    content: `Language: ${language ?? 'that of the post; English when it has no words'}\n\nThe post:\n${fence(post)}`,
    picture,
  },
];

/** The text goes back with what is wrong with it, so that it is mended and not written anew. */
export const fixPrompt = (text: string, findings: string[]): Message[] => [
  { role: 'assistant', content: text },
  { role: 'user', content: `${TEXTS.mend}\n\n${list(findings)}` },
];

/** The text is read once more, as by somebody from the trade. */
export const rereadPrompt = (text: string): Message[] => [
  { role: 'assistant', content: text },
  { role: 'user', content: TEXTS.reread },
];

/** A post of the author is written again, as its instruction says. */
export const rewritePrompt = (text: string): Message[] => [
  { role: 'assistant', content: text },
  { role: 'user', content: TEXTS.again },
];
