import { z } from 'zod';
import { spellTime } from '#app/domain/automation/limits.ts';

/** Browsers send the line breaks of a text area as CRLF. Counting and storing use LF, also for U+2028 and U+2029. */
const withLf = (value: string) => value.replace(/\r\n?|[\u2028\u2029]/g, '\n');
/** Tag characters (U+E0000 to U+E007F) are never drawn: outside of a flag they can only hide text. */
const INVISIBLE =
  /(?![\n\t\u061c\u200e\u200f])[\p{Cc}\p{Bidi_Control}]|(?<!\u{1f3f4}[\u{e0020}-\u{e007f}]{0,5})[\u{e0000}-\u{e007f}]/gu;
/** One of these joins or separates letters or selects a form, and a second one may follow. More in a row only hide text. */
const JOINERS = String.raw`[\u200b-\u200d\u2060-\u2064\ufe00-\ufe0f\ufeff\u{e0100}-\u{e01ef}]`;
export const EXCESS_JOINERS = new RegExp(`(?<=${JOINERS}{2})${JOINERS}+`, 'gu');
/** Matches a visible character: a name of joiners and fillers would look empty. */
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Removes control characters and those that turn or hide text. U+0000 stays, to be refused later. */
const removeInvisible = (value: string) => {
  const withoutControls = value.replace(INVISIBLE, (sign) => (sign === '\0' ? sign : ''));
  const cleaned = withoutControls.replace(EXCESS_JOINERS, '').trim();
  return VISIBLE.test(cleaned) || cleaned.includes('\0') ? cleaned : '';
};
/** Postgres text can't contain U+0000, and its JSON can't contain an unpaired surrogate. */
const isStorable = (value: string) => !value.includes('\0') && value.isWellFormed();

const trimmed = <S extends z.ZodType<string>>(schema: S, name: string, max: number) =>
  schema
    .transform((value) => removeInvisible(withLf(value)))
    .refine(isStorable, 'Please remove the invisible characters')
    .refine(
      (value) => value.length <= max,
      `${name} can have at most ${max.toLocaleString('en')} characters`,
    );

/** Truncates a text without splitting a surrogate pair. */
export const cut = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).replace(/\p{Surrogate}+$/u, '');

export const text = (name: string, max: number) => trimmed(z.string(), name, max);

/** `missing` is the message when the text is empty. */
export const requiredText = (name: string, max: number, missing: string) =>
  z
    .string({ error: missing })
    .pipe(text(name, max))
    .refine((value) => value !== '', missing);

/** An omitted text becomes ''. Not a pipe: forms turn '' into undefined before each string schema. */
export const optionalText = (name: string, max: number) =>
  trimmed(z.string(`${name} must be text`).default(''), name, max);

/** A list or comma-separated string; a form sends a list with one item. The caller handles an omitted list. */
export const commaList = (name: string, maxItems: number, maxItemLength: number) =>
  z
    .union([z.array(z.string()), z.string()], `Please part the ${name} with commas`)
    .transform((value) => [value].flat().flatMap((item) => item.split(',')))
    .transform((items) => [...new Set(items.map(removeInvisible).filter(Boolean))])
    .refine((items) => items.length <= maxItems, `At most ${maxItems} ${name}`)
    .refine(
      (items) => items.every((item) => item.length <= maxItemLength && isStorable(item)),
      `Each of the ${name} can have at most ${maxItemLength} characters`,
    );

/** Not validated: the look-up finds out whether the topic exists. */
export const topicId = z.string({ error: 'Please choose a topic from the list' });

export const timeOfDay = z
  .string({ error: 'Please choose a time' })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Please give a time as HH:MM');

export const typedTime = z.string({ error: 'Please choose a time' }).transform(spellTime).pipe(timeOfDay);

export const calendarDay = z.iso.date('Please give a date as YYYY-MM-DD');

/** Intl accepts a few names that Temporal does not. */
export const timeZone = z.string().refine((zone) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }) && Temporal.Now.zonedDateTimeISO(zone));
  } catch {
    return false;
  }
}, 'Please choose a time zone from the list');
