import { z } from 'zod';
import { requiredText, text } from '#app/domain/platform/input-schema.ts';
import {
  FEEDBACK_DESCRIPTION_MAX,
  FEEDBACK_GROUPS,
  FEEDBACK_SEARCH_MAX,
  FEEDBACK_STATUSES,
  FEEDBACK_TITLE_MAX,
  FEEDBACK_TYPES,
  type FeedbackGroup,
  type FeedbackStatus,
  type FeedbackType,
  RATING_MAX,
} from './limits.ts';

const WRONG_RATING = `Please rate from 1 to ${RATING_MAX}, or leave the rating out`;
const types = Object.keys(FEEDBACK_TYPES) as FeedbackType[];
const statuses = Object.keys(FEEDBACK_STATUSES) as FeedbackStatus[];
const groups = Object.keys(FEEDBACK_GROUPS) as FeedbackGroup[];

const type = z.enum(types, { error: 'Please choose a type from the list' });
const status = z.enum(statuses, { error: 'Please choose a status from the list' });
const q = text('The search', FEEDBACK_SEARCH_MAX).optional();

export const FeedbackInput = z.object({
  type,
  title: requiredText('The title', FEEDBACK_TITLE_MAX, 'Please give it a title'),
  description: requiredText('The description', FEEDBACK_DESCRIPTION_MAX, 'Please describe it'),
  rating: z
    .number({ error: WRONG_RATING })
    .int(WRONG_RATING)
    .min(0, WRONG_RATING)
    .max(RATING_MAX, WRONG_RATING)
    .nullish()
    .transform((stars) => stars || null),
});
export type FeedbackInput = z.output<typeof FeedbackInput>;

export const FeedbackForm = FeedbackInput.extend({
  seen: z
    .string()
    .max(1_000)
    .default('')
    .transform((ids) => ids.split(',')),
});

/** `own` is the actor's feedback, newest first. */
export const BoardQuery = z.object({
  sort: z.enum(['votes', 'newest', 'own']).default('votes'),
  type: type.optional(),
  status: status.optional(),
  q,
});
export type BoardQuery = z.output<typeof BoardQuery>;

export const AllFeedbackQuery = z.object({
  type: type.optional(),
  status: z.enum([...statuses, ...groups], { error: 'Please choose a status from the list' }).optional(),
  q,
});
export type AllFeedbackQuery = z.output<typeof AllFeedbackQuery>;

export const FeedbackStatusInput = z.object({ status });
export type FeedbackStatusInput = z.output<typeof FeedbackStatusInput>;
