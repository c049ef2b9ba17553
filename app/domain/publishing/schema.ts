import { z } from 'zod';
import { requiredText } from '#app/domain/platform/input-schema.ts';
import { PAUSE_REASON_MAX } from './limits.ts';

/** `until` is in the admin's time zone; without it the pause lasts until an admin ends it. */
export const PauseInput = z.object({
  reason: requiredText('The reason', PAUSE_REASON_MAX, 'Please give a reason'),
  until: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/, 'Please give a day and a time')
    .refine((value) => !Number.isNaN(Date.parse(`${value}Z`)), 'Please give a day and a time')
    .optional(),
});
export type PauseInput = z.output<typeof PauseInput>;

const MISSED_CHOICES = ['slots', 'latest', 'discard'] as const;
export type MissedChoice = (typeof MISSED_CHOICES)[number];

/** `asked` is when LinkedIn was connected again, as the page showed it, so that an outdated page has no effect. */
export const MissedInput = z.object({
  choice: z.enum(MISSED_CHOICES, { error: 'Please choose what becomes of these posts' }),
  asked: z.string({ error: 'This page is out of date. Please open it again' }),
});
export type MissedInput = z.output<typeof MissedInput>;

const noSlot = 'Please choose a time from the list';
/** A slot as pages name it, by its date and its number on that day: "2026-11-25 1". */
export const SlotKey = z
  .string({ error: noSlot })
  .regex(/^2\d{3}-\d{2}-\d{2} [1-9]\d?$/, noSlot)
  .transform((key) => ({ date: key.slice(0, 10), number: Number(key.slice(11)) }))
  .refine(({ date }) => z.iso.date().safeParse(date).success, noSlot);
export type SlotKey = z.output<typeof SlotKey>;

export const MoveInput = z.object({ postId: z.string(), slot: SlotKey });
export type MoveInput = z.output<typeof MoveInput>;

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

/** The revision that the page of an approval link showed: only that text is approved. */
export const ApprovalInput = z.object({
  revision: revision('This page is out of date. Open the link in the mail again'),
});

/** The revision that a page of the app showed; without it the text is not compared. */
export const ReadInput = z.object({
  revision: revision('This page is out of date. Please open it again').optional(),
});

const UNDONE = ['move', 'swap', 'skip', 'delete'] as const;

const notOurs = 'This is not one of our forms. Open the page again and try once more';
const slotOrNone = z.union([z.literal('').transform(() => null), SlotKey], { error: notOurs });
/** The change to undo, with the slots of the post before (`was`) and after it (`is`). */
export const UndoInput = z.object({
  of: z.enum(UNDONE, { error: notOurs }),
  was: slotOrNone.default(null),
  is: slotOrNone.default(null),
  otherId: z.string().optional(),
});
export type UndoInput = z.output<typeof UndoInput>;
