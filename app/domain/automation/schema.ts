import { z } from 'zod';
import { POSTS_PER_DAY_MAX } from '#app/domain/payments/limits.ts';
import { calendarDay, timeOfDay, timeZone, typedTime } from '#app/domain/platform/input-schema.ts';
import { changedSince, DAYS_OFF_MAX, WEEKDAYS } from './limits.ts';

export const DEFAULT_CREATION_TIME = '08:00';
const DEFAULT_PUBLISH_TIMES = ['09:00', '14:00', '18:00', '21:00', '23:00'];
const FALLBACK_PUBLISH_TIME = '12:00';

/** Pads the times with defaults, or cuts them, to one for each post of a day. */
export function fitPublishTimes(times: string[], postsPerDay: number): string[] {
  const fitted = times.slice(0, postsPerDay);
  while (fitted.length < postsPerDay) {
    const candidates = [
      DEFAULT_PUBLISH_TIMES[fitted.length] ?? FALLBACK_PUBLISH_TIME,
      ...DEFAULT_PUBLISH_TIMES,
    ];
    fitted.push(candidates.find((time) => !fitted.includes(time)) ?? FALLBACK_PUBLISH_TIME);
  }
  return fitted;
}

const timesOf = (time: z.ZodType<string>) =>
  z
    .array(time)
    .min(1, 'Please choose at least one publish time')
    .max(POSTS_PER_DAY_MAX, `At most ${POSTS_PER_DAY_MAX} publish times a day`)
    .refine((times) => new Set(times).size === times.length, 'Each publish time can be chosen once');

const publishDays = z
  .array(z.enum(WEEKDAYS, 'Please choose from the days of the week'), 'Please give a list of days')
  .min(1, 'Choose at least one day of the week on which posts go out')
  .transform((days) => WEEKDAYS.filter((day) => days.includes(day)));

/** The form sends empty fields too. */
const daysOff = z
  .array(calendarDay.optional(), 'Please give a list of dates')
  .transform((days) => [...new Set(days.filter((day) => day !== undefined))].sort())
  .refine((days) => days.length <= DAYS_OFF_MAX, `At most ${DAYS_OFF_MAX} days off can be kept`);

const flag = z.union([
  z.boolean(),
  z.enum(['on', 'off', 'true', 'false']).transform((v) => v === 'on' || v === 'true'),
]);

/** Omitted fields keep their values. */
export const SettingsChange = z.object({
  contentCreationTime: timeOfDay.optional(),
  publishTimes: timesOf(timeOfDay).optional(),
  publishDays: publishDays.optional(),
  daysOff: daysOff.optional(),
  enabled: flag.optional(),
  requireApproval: flag.optional(),
  timeZone: timeZone.optional(),
});
export type SettingsChange = z.output<typeof SettingsChange>;

/** The initial values of a form as JSON. Without them every field counts as changed. */
const begunWith = z
  .string()
  .optional()
  .transform((json, ctx): Record<string, unknown> => {
    try {
      return z.record(z.string(), z.unknown()).parse(JSON.parse(json ?? '{}'));
    } catch {
      ctx.addIssue('Please load the page again');
      return z.NEVER;
    }
  });

export const SettingsForm = z.object({
  contentCreationTime: typedTime,
  publishTimes: timesOf(typedTime),
  publishDays,
  daysOff,
  requireApproval: flag,
  timeZone,
  begunWith,
});

/** Returns the fields that the user changed in the form, so that it does not reset those that were changed elsewhere. */
export const changeIn = ({ begunWith, ...fields }: Partial<z.output<typeof SettingsForm>>): SettingsChange =>
  changedSince(begunWith ?? {}, fields);
