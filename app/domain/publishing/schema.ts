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
