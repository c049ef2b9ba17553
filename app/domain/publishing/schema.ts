import { z } from 'zod';
import { requiredText } from '#app/domain/platform/input-schema.ts';
import { PAUSE_REASON_MAX } from './limits.ts';

/** `until` is a day and a time of the admin's own clock; without it the pause lasts until it is ended by hand. */
export const PauseInput = z.object({
  reason: requiredText('The reason', PAUSE_REASON_MAX, 'Please give a reason'),
  until: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/, 'Please give a day and a time')
    .refine((value) => !Number.isNaN(Date.parse(`${value}Z`)), 'Please give a day and a time')
    .optional(),
});
export type PauseInput = z.output<typeof PauseInput>;

/** What can become of the posts that were missed before LinkedIn was connected again. */
const MISSED_CHOICES = ['slots', 'latest', 'discard'] as const;
export type MissedChoice = (typeof MISSED_CHOICES)[number];

/** `asked` is when LinkedIn was connected again, as the page showed it: an old page decides nothing. */
export const MissedInput = z.object({
  choice: z.enum(MISSED_CHOICES, { error: 'Please choose what becomes of these posts' }),
  asked: z.string({ error: 'This page is out of date. Please open it again' }),
});
export type MissedInput = z.output<typeof MissedInput>;

const noSlot = 'Please choose a time from the list';
/** One publish time of one day, by its number in the order of the day, as pages name it: "2026-11-25 1". */
export const SlotKey = z
  .string({ error: noSlot })
  .regex(/^2\d{3}-\d{2}-\d{2} [1-9]\d?$/, noSlot)
  .transform((key) => ({ date: key.slice(0, 10), number: Number(key.slice(11)) }))
  .refine(({ date }) => z.iso.date().safeParse(date).success, noSlot);
export type SlotKey = z.output<typeof SlotKey>;

export const MoveInput = z.object({ postId: z.string(), slot: SlotKey });
export type MoveInput = z.output<typeof MoveInput>;

/** Both slots as the page showed them. */
export const SwapInput = z.object({
  postId: z.string(),
  otherId: z.string({ error: 'Please choose a post to swap with' }),
  slot: SlotKey,
  otherSlot: SlotKey,
});
export type SwapInput = z.output<typeof SwapInput>;

const revision = (outOfDate: string) =>
  z
    .string({ error: outOfDate })
    .regex(/^\d{1,9}$/, outOfDate)
    .transform(Number);

/** What the page of a mailed link showed when Approve was pressed: that, and nothing else, is approved. */
export const ApprovalInput = z.object({
  revision: revision('This page is out of date. Open the link in the mail again'),
});

/** What a page of the app showed when a button was pressed; without it nothing is compared. */
export const ReadInput = z.object({
  revision: revision('This page is out of date. Please open it again').optional(),
});

const UNDONE = ['move', 'swap', 'skip', 'delete'] as const;

const notOurs = 'This is not one of our forms. Open the page again and try once more';
/** A slot, or '' for none. */
const slotOrNone = z.union([z.literal('').transform(() => null), SlotKey], { error: notOurs });
/** What is to be undone, with the slot that the post had before and the one that it got. */
export const UndoInput = z.object({
  of: z.enum(UNDONE, { error: notOurs }),
  was: slotOrNone.default(null),
  is: slotOrNone.default(null),
  otherId: z.string().optional(),
});
export type UndoInput = z.output<typeof UndoInput>;
