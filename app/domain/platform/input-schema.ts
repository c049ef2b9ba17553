import { z } from 'zod';
import { spellTime } from '#app/domain/automation/limits.ts';

/** Browsers send the line breaks of a text area as CRLF; counting and storing use LF, also for those that only Unicode knows. */
const withLf = (value: string) => value.replace(/\r\n?|[\u2028\u2029]/g, '\n');
/** Tags are the alphabet in signs that are never drawn: outside of a flag they can only hide a text from who reads it. */
const UNSEEN =
  /(?![\n\t\u061c\u200e\u200f])[\p{Cc}\p{Bidi_Control}]|(?<!\u{1f3f4}[\u{e0020}-\u{e007f}]{0,5})[\u{e0000}-\u{e007f}]/gu;
/**
 * One such sign joins letters, parts them or picks a form, and a second one may follow; more in a row are only there to spell what
 * nobody sees.
 */
const JOINERS = String.raw`[\u200b-\u200d\u2060-\u2064\ufe00-\ufe0f\ufeff\u{e0100}-\u{e01ef}]`;
export const SPELT_UNSEEN = new RegExp(`(?<=${JOINERS}{2})${JOINERS}+`, 'gu');
/** There is something to see in a text: a name of joiners and fillers would be a card without a name. */
const SEEN = /[^\p{Z}\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Without control characters and those that turn or hide a text. U+0000 stays, to be refused; marks of direction are ordinary writing. */
const withoutUnseen = (value: string) => {
  const shown = value.replace(UNSEEN, (sign) => (sign === '\0' ? sign : ''));
  const left = shown.replace(SPELT_UNSEEN, '').trim();
  return SEEN.test(left) || left.includes('\0') ? left : '';
};
/** Postgres text can't hold U+0000, and its JSON no half of a pair of surrogates. */
const isStorable = (value: string) => !value.includes('\0') && value.isWellFormed();

const trimmed = <S extends z.ZodType<string>>(schema: S, name: string, max: number) =>
  schema
    .transform((value) => withoutUnseen(withLf(value)))
    .refine(isStorable, 'Please remove the invisible characters')
    .refine(
      (value) => value.length <= max,
      `${name} can have at most ${max.toLocaleString('en')} characters`,
    );

/** The beginning of a text, without half a sign at its end. */
export const cut = (said: string, most: number): string =>
  said.slice(0, most).replace(/\p{Surrogate}+$/u, '');

/** A line or text, trimmed, with LF line breaks. */
export const text = (name: string, max: number) => trimmed(z.string(), name, max);

/** A line or text that must be there; `missing` is the sentence when it isn't. */
export const requiredText = (name: string, max: number, missing: string) =>
  z
    .string({ error: missing })
    .pipe(text(name, max))
    .refine((value) => value !== '', missing);

/**
 * A line or text that may be left out; then it is ''. Without a pipe: forms turn '' into nothing before each
 * string of a schema, also one that follows the default.
 */
export const optionalText = (name: string, max: number) =>
  trimmed(z.string(`${name} must be text`).default(''), name, max);

/**
 * A list, or one comma-separated string; trimmed, empties and repetitions dropped. A form's one string
 * arrives as a list of it, so the commas inside of items part them as well. It says nothing about a list that
 * is left out: none for something new, the old one for a change.
 */
export const commaList = (name: string, mostItems: number, mostLength: number) =>
  z
    .union([z.array(z.string()), z.string()], `Please part the ${name} with commas`)
    .transform((value) => [value].flat().flatMap((item) => item.split(',')))
    .transform((items) => [...new Set(items.map(withoutUnseen).filter(Boolean))])
    .refine((items) => items.length <= mostItems, `At most ${mostItems} ${name}`)
    .refine(
      (items) => items.every((item) => item.length <= mostLength && isStorable(item)),
      `Each of the ${name} can have at most ${mostLength} characters`,
    );

/** The id of a topic as it was chosen; whether there is one with it is seen where it is looked for. */
export const topicId = z.string({ error: 'Please choose a topic from the list' });

/** A time of day, HH:MM. */
export const timeOfDay = z
  .string({ error: 'Please choose a time' })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Please give a time as HH:MM');

/** A time of day as people write it. */
export const typedTime = z.string({ error: 'Please choose a time' }).transform(spellTime).pipe(timeOfDay);

/** A calendar day, YYYY-MM-DD. */
export const calendarDay = z.iso.date('Please give a date as YYYY-MM-DD');

/** An IANA time zone that this server can write and count in: Intl knows a few names that Temporal does not. */
export const timeZone = z.string().refine((zone) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }) && Temporal.Now.zonedDateTimeISO(zone));
  } catch {
    return false;
  }
}, 'Please choose a time zone from the list');
