import { z } from 'zod';

export const POSTS_PER_RUN_MAX = 5;
export const FREE_POSTS_A_MONTH = 3;
/** With a plan: a bound on cost, far above what anybody needs. */
export const POSTS_AN_HOUR_MAX = 60;

export const GenerateInput = z.object({
  topicId: z.string().optional(),
  count: z.coerce
    .number({ error: 'Please choose how many posts' })
    .int('Please choose how many posts')
    .min(1, 'Please choose at least one post')
    .max(POSTS_PER_RUN_MAX, `At most ${POSTS_PER_RUN_MAX} posts at a time`)
    .default(1),
});
export type GenerateInput = z.output<typeof GenerateInput>;
