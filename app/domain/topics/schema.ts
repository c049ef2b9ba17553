import { z } from 'zod';
import { commaList, optionalText, requiredText, text } from '../input-schema.ts';

export const TONES = ['professional', 'casual', 'inspirational', 'educational', 'humorous'] as const;
export const TOPIC_NAME_MAX = 100;
export const TOPIC_DESCRIPTION_MAX = 1_000;
export const TOPIC_KEYWORDS_MAX = 20;

const fields = {
  name: requiredText('The topic name', TOPIC_NAME_MAX, 'Topic name is required'),
  description: optionalText('The description', TOPIC_DESCRIPTION_MAX),
  keywords: commaList('keywords', TOPIC_KEYWORDS_MAX, 50),
  tone: z.enum(TONES, { error: 'Please choose a tone from the list' }).default('professional'),
};

export const TopicInput = z.object({ ...fields, keywords: fields.keywords.default([]) });
export type TopicInput = z.output<typeof TopicInput>;

/** What changes in a topic; a field left out stays as it is. */
export const TopicChange = z.object({
  name: fields.name.optional(),
  description: text('The description', TOPIC_DESCRIPTION_MAX).optional(),
  keywords: fields.keywords.optional(),
  tone: z.enum(TONES, { error: 'Please choose a tone from the list' }).optional(),
});
export type TopicChange = z.output<typeof TopicChange>;
