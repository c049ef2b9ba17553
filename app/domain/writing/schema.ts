import { z } from 'zod';
import { optionalText, topicId } from '#app/domain/platform/input-schema.ts';
import { SlotKey } from '#app/domain/publishing/schema.ts';
import { INSTRUCTION_MAX, POSTS_PER_RUN_MAX } from './limits.ts';

export const GenerateInput = z.object({
  topicId: topicId.optional(),
  count: z.coerce
    .number({ error: 'Please choose how many posts' })
    .int('Please choose how many posts')
    .min(1, 'Please choose at least one post')
    .max(POSTS_PER_RUN_MAX, `At most ${POSTS_PER_RUN_MAX} posts at a time`)
    .default(1),
});
export type GenerateInput = z.output<typeof GenerateInput>;

/** The input of a form, with the idempotency key that the page made for it. */
export const GenerateForm = GenerateInput.extend({
  key: z.uuid('This form has changed. Load the page again and press once more').optional(),
});
export type GenerateForm = z.output<typeof GenerateForm>;

export const FillInput = z.object({ topicId: topicId.optional(), slot: SlotKey });
export type FillInput = z.output<typeof FillInput>;

/** Without an instruction the rewrite has a new brief. */
export const RewriteInput = z.object({ instruction: optionalText('What to change', INSTRUCTION_MAX) });
export type RewriteInput = z.output<typeof RewriteInput>;
