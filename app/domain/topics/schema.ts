import { z } from 'zod';
import {
  calendarDay,
  commaList,
  optionalText,
  requiredText,
  text,
} from '#app/domain/platform/input-schema.ts';
import {
  APPROVAL_WORDS,
  TONES,
  TOPIC_DESCRIPTION_MAX,
  TOPIC_KEYWORD_LENGTH_MAX,
  TOPIC_KEYWORDS_MAX,
  TOPIC_NAME_MAX,
  type TopicApproval,
  USUAL_TONE,
} from './limits.ts';

const APPROVALS = Object.keys(APPROVAL_WORDS) as TopicApproval[];

const fields = {
  name: requiredText('The topic name', TOPIC_NAME_MAX, 'Topic name is required'),
  description: optionalText('The description', TOPIC_DESCRIPTION_MAX),
  keywords: commaList('keywords', TOPIC_KEYWORDS_MAX, TOPIC_KEYWORD_LENGTH_MAX),
  tone: z.enum(TONES, { error: 'Please choose a tone from the list' }).default(USUAL_TONE),
  approval: z
    .enum(APPROVALS, { error: 'Please choose from the list whether its posts wait for you' })
    .optional(),
};

export const TopicInput = z.object({ ...fields, keywords: fields.keywords.default([]) });
export type TopicInput = z.output<typeof TopicInput>;

export const TopicForm = TopicInput.extend({
  key: z.uuid('This form has changed. Load the page again and press once more').optional(),
});
export type TopicForm = z.output<typeof TopicForm>;

/** Omitted fields keep their values. */
export const TopicChange = z.object({
  name: fields.name.optional(),
  description: text('The description', TOPIC_DESCRIPTION_MAX).optional(),
  keywords: fields.keywords.optional(),
  tone: z.enum(TONES, { error: 'Please choose a tone from the list' }).optional(),
  approval: fields.approval,
});
export type TopicChange = z.output<typeof TopicChange>;

/** `until`: the first day, in the user's time zone, on which the topic has its turns again. */
export const TopicPause = z.object({ until: calendarDay });
export type TopicPause = z.output<typeof TopicPause>;
