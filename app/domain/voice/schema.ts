import { z } from 'zod';
import { commaList, optionalText, requiredText, topicId } from '#app/domain/platform/input-schema.ts';
import { POST_MAX } from '#app/domain/posts/limits.ts';
import {
  AUDIENCE_MAX,
  EXAMPLE_MIN,
  FACT_KINDS,
  FACT_MAX,
  HEADLINE_MAX,
  LANGUAGES,
  VOICE_NOTES_MAX,
  VOICE_WORD_LENGTH_MAX,
  VOICE_WORDS_MAX,
} from './limits.ts';

const kinds = Object.keys(FACT_KINDS) as (keyof typeof FACT_KINDS)[];
const languages = Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[];
export type Language = (typeof languages)[number];

const inOneLine = (value: string) => value.replace(/\s*\n\s*/g, ' ');

const factText = requiredText('A fact', FACT_MAX, 'Please write the fact in a sentence').transform(inOneLine);

/** Without a topic the fact is for all topics. Without a kind it is guessed from the text. */
export const FactInput = z.object({
  content: factText,
  topicId: topicId.optional(),
  kind: z.enum(kinds, { error: 'Please choose from the list what kind of fact it is' }).optional(),
});
export type FactInput = z.output<typeof FactInput>;

const words = (name: string) => commaList(name, VOICE_WORDS_MAX, VOICE_WORD_LENGTH_MAX).default([]);

export const VoiceInput = z.object({
  headline: optionalText('The headline', HEADLINE_MAX),
  audience: optionalText('The audience', AUDIENCE_MAX),
  voiceNotes: optionalText('The notes', VOICE_NOTES_MAX),
  language: z.enum(languages, { error: 'Please choose a language from the list' }).default('en'),
  wordsToUse: words('words to use'),
  wordsToAvoid: words('words to avoid'),
  hasEmoji: z.preprocess((value) => value === true || value === 'on' || value === 'true', z.boolean()),
});
export type VoiceInput = z.output<typeof VoiceInput>;

export const ExampleInput = z.object({
  content: requiredText('An example', POST_MAX, 'Please paste a post that you wrote').refine(
    (value) => value.length >= EXAMPLE_MIN,
    `Please paste a whole post, of at least ${EXAMPLE_MIN} characters`,
  ),
});

/** The answer to a question of the interview. `skip` continues without one. */
export const AnswerInput = z
  .object({
    content: optionalText('An answer', FACT_MAX).transform(inOneLine),
    skip: z.string().optional(),
  })
  .refine(({ content, skip }) => skip !== undefined || content !== '', {
    message: 'Please write an answer, or skip the question',
    path: ['content'],
  });
