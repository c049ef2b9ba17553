import { z } from 'zod';

/** What the writer answers: one post. */
export const Draft = z.object({
  content: z.string().describe('The text of the post, plain, without hashtags'),
  hashtags: z.array(z.string()).describe('Hashtags without #'),
});
export type Draft = z.output<typeof Draft>;
