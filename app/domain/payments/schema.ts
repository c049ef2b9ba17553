import { z } from 'zod';
import { optionalText, requiredText } from '#app/domain/platform/input-schema.ts';
import {
  EXTENSION_DAYS_MAX,
  EXTENSION_REASON_MAX,
  POSTS_PER_DAY,
  POSTS_PER_DAY_MAX,
  REJECT_REASON_MAX,
  REJECT_REASONS,
  TRANSACTION_ID_MAX,
  TRANSACTION_ID_MIN,
} from './limits.ts';

const WRONG_COUNT = `Please choose 1 to ${POSTS_PER_DAY_MAX} posts a day`;

const postsPerDay = z
  .number({ error: WRONG_COUNT })
  .refine((count) => POSTS_PER_DAY.some((known) => known === count), WRONG_COUNT);

/** Compared with the list of currencies, so lower case is invalid. */
const currencyCode = z
  .string({ error: 'Please choose a currency' })
  .regex(/^[A-Z]{3}$/, 'Please choose a currency from the list, such as USD');

/** Stored and compared in upper case without spaces. Leading zeros count. */
const transactionId = z
  .string({ error: 'Please enter transaction ID' })
  .transform((value) => value.replace(/\s/g, ''))
  .refine((value) => value !== '', { error: 'Please enter transaction ID', abort: true })
  .refine((value) => new RegExp(`^[A-Za-z0-9]{${TRANSACTION_ID_MIN},${TRANSACTION_ID_MAX}}$`).test(value), {
    error: `A transaction ID has ${TRANSACTION_ID_MIN} to ${TRANSACTION_ID_MAX} letters and digits and nothing else`,
  })
  .transform((value) => value.toUpperCase());

export const PlanChoice = z.object({ postsPerDay, currencyCode });
export type PlanChoice = z.output<typeof PlanChoice>;

export const UpgradeChoice = z.object({
  newPostsPerDay: postsPerDay,
  currencyCode,
  startImmediately: z.boolean({ error: 'Please say when the plan starts' }).default(true),
});
export type UpgradeChoice = z.output<typeof UpgradeChoice>;

/** `amount` is in major units, as the payer saw it. It is only compared with the request's amount. */
export const ProofInput = z.object({
  transactionId,
  postsPerDay,
  currencyCode,
  amount: z
    .number({ error: 'Please give the amount you paid' })
    .nonnegative('The amount can’t be below zero'),
  upgradeType: z
    .enum(['immediate', 'next_billing'], { error: 'Please say when the plan starts' })
    .nullish()
    .transform((value) => value ?? null),
  startImmediately: z
    .boolean({ error: 'Please say when the plan starts' })
    .nullish()
    .transform((value) => value ?? null),
});
export type ProofInput = z.output<typeof ProofInput>;

export const ProofForm = ProofInput.extend({
  screenshot: z.union([z.instanceof(File), z.enum(['too large', 'busy'])]).optional(),
});

export const LatePaymentInput = z.object({ transactionId });
export type LatePaymentInput = z.output<typeof LatePaymentInput>;

export const RejectInput = z.object({
  reason: requiredText('The reason', REJECT_REASON_MAX, 'Please give a reason'),
});
export type RejectInput = z.output<typeof RejectInput>;

/** A usual reason, the admin's own text, or both; the payer reads them. */
export const RejectForm = z
  .object({
    usual: z
      .enum(Object.keys(REJECT_REASONS) as (keyof typeof REJECT_REASONS)[], 'Please choose a reason')
      .optional(),
    reason: optionalText('The reason', REJECT_REASON_MAX),
  })
  .transform(({ usual, reason }) => ({ reason: `${usual ? REJECT_REASONS[usual] : ''} ${reason}`.trim() }))
  .pipe(RejectInput);

/** `endsAt` is the plan's end when the form was opened, so that the form counts once. */
export const ExtendInput = z.object({
  endsAt: z.iso.datetime({ error: 'Please open the form again' }).transform((value) => new Date(value)),
  days: z
    .string({ error: 'Please say how many days' })
    .regex(/^\d{1,3}$/, 'Please say how many days')
    .transform(Number)
    .refine(
      (days) => days >= 1 && days <= EXTENSION_DAYS_MAX,
      `1 to ${EXTENSION_DAYS_MAX} days can be given`,
    ),
  reason: requiredText('The reason', EXTENSION_REASON_MAX, 'Please give a reason'),
});
export type ExtendInput = z.output<typeof ExtendInput>;
