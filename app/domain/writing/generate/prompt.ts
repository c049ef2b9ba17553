import { randomBytes } from 'node:crypto';
import type { Message, Picture } from '#app/integrations/openai/ask.ts';
import type { Brief } from './brief.ts';
import { partOf, TEXTS } from './load-prompts.ts';

export type PromptTopic = { name: string; description: string; keywords: string[] };

export type PromptData = {
  topic: PromptTopic;
  voice: { voiceNotes: string; wordsToUse: string[]; wordsToAvoid: string[] };
  examples: string[];
  theses: string[];
  openings: string[];
  closings: string[];
  phrases: string[];
};

const list = (lines: string[]) => lines.map((line) => `- ${inLine(line)}`).join('\n');
const inLine = (text: string) => text.replace(/\s*\n\s*/g, ' ');
const indented = (text: string) => text.replaceAll('\n', '\n  ');

/** The brief in words for the writer. Only the name of the language comes from the user. */
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

/** The data of the prompt. `userInput` is what the post may claim. */
function dataLines(brief: Brief, { topic, voice, ...earlier }: PromptData) {
  const userInput = [
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
    earlier.examples.length > 0 &&
      `Posts the author wrote:\n${earlier.examples.map((text) => `"""\n${text}\n"""`).join('\n')}`,
    earlier.theses.length > 0 && `Argued already:\n${list(earlier.theses)}`,
    earlier.openings.length > 0 && `Opening lines not to repeat:\n${list(earlier.openings)}`,
    earlier.closings.length > 0 && `Closing lines not to repeat:\n${list(earlier.closings)}`,
    earlier.phrases.length > 0 && `Used up:\n${list(earlier.phrases)}`,
  ];
  return { userInput: userInput.filter(Boolean).join('\n'), others: others.filter(Boolean).join('\n') };
}

/** Puts user input between two random marker lines, so that no input can end the block early. */
function fence(input: string): string {
  const marker = `data-${randomBytes(9).toString('base64url')}`;
  return `<${marker}>\n${input.replaceAll(marker, '')}\n</${marker}>`;
}

/** Builds the messages for a post. `userInput` is what the post may claim; earlier posts are not part of it. */
export function buildPrompt(brief: Brief, data: PromptData): { messages: Message[]; userInput: string } {
  const { userInput, others } = dataLines(brief, data);
  const fenced = fence([userInput, others].filter(Boolean).join('\n'));
  return {
    userInput,
    messages: [
      { role: 'system', content: TEXTS.instructions },
      { role: 'user', content: `The brief:\n${briefLines(brief)}\n\nThe data:\n${fenced}` },
    ],
  };
}

/** Asks for the alt text of the image of a post. `language` is that of the post, when it is known. */
export const altTextPrompt = (picture: Picture, post: string, language: string | undefined): Message[] => [
  { role: 'system', content: TEXTS.altText },
  {
    role: 'user',
    content: `Language: ${language ?? 'that of the post; English when it has no words'}\n\nThe post:\n${fence(post)}`,
    picture,
  },
];

export const fixPrompt = (text: string, findings: string[]): Message[] => [
  { role: 'assistant', content: text },
  { role: 'user', content: `${TEXTS.fix}\n\n${list(findings)}` },
];

export const rereadPrompt = (text: string): Message[] => [
  { role: 'assistant', content: text },
  { role: 'user', content: TEXTS.reread },
];

export const rewritePrompt = (text: string): Message[] => [
  { role: 'assistant', content: text },
  { role: 'user', content: TEXTS.rewrite },
];
