import { z } from 'zod';

/** The response of the writer: a post, what it argues, and what it claims about its author. */
export const Draft = z.object({
  content: z.string().describe('The text of the post, plain, without hashtags'),
  hashtags: z.array(z.string()).describe('3 to 5 hashtags without #'),
  thesis: z.string().describe('What the post argues, in one plain sentence'),
  claims: z
    .array(
      z.object({
        text: z.string().describe('A sentence of the post that claims something about its author'),
        fact: z
          .number()
          .int()
          .nullable()
          .describe('The number of the fact that says so; null when none does'),
      }),
    )
    .describe('Every sentence of the post that claims something about its author'),
});
export type Draft = z.output<typeof Draft>;

/** The response of the second pass: what an outsider from the trade found, and the corrected post. */
export const Reread = z.object({
  findings: z
    .array(z.string())
    .describe('What is cryptic, promised and not shown, would break in use, could harm, or claims too much'),
  ...Draft.shape,
});
export type Reread = z.output<typeof Reread>;
