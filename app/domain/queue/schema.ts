import { z } from 'zod';

/** What can become of the posts that were missed before LinkedIn was connected again. */
export const MISSED_CHOICES = ['slots', 'latest', 'discard'] as const;
export type MissedChoice = (typeof MISSED_CHOICES)[number];

/** `asked` is when LinkedIn was connected again, as the page showed it: an old page decides nothing. */
export const MissedInput = z.object({
  choice: z.enum(MISSED_CHOICES, { error: 'Please choose what becomes of these posts' }),
  asked: z.string({ error: 'This page is out of date. Please open it again' }),
});
export type MissedInput = z.output<typeof MissedInput>;
