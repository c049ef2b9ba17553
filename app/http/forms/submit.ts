import type { SubmissionResult } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { data, type RouterContextProvider } from 'react-router';
import type { z } from 'zod';
import { refusalContext } from '#app/context.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { setFlash } from './flash.ts';
import { formDataOf } from './read-form.ts';

/** How much of what was typed goes back, as bytes of the page that shows it again. */
const MOST_ECHOED = 24 * 1024;

type Args = { context: Readonly<RouterContextProvider> };
type Options = {
  /** Fields that never go back to the browser. */
  secret?: string[];
  /** Sent while somebody writes: what is wrong stands beside what they type, and is no notice. */
  isQuiet?: boolean;
};

/** What a value takes in a page: a character that HTML escapes takes up to six. */
function weightOf(value: unknown): number {
  const text = JSON.stringify(value) ?? '';
  return Buffer.byteLength(text) + 5 * (text.match(/[<>&"'\\]/g)?.length ?? 0);
}

/** Of fields that go back as much as one page may bear, the shortest first. */
export function boundFields<Value>(fields: [string, Value][]): [string, Value][] {
  let left = MOST_ECHOED;
  const weighed = fields.map((field) => ({ field, weight: weightOf(field[0]) + weightOf(field[1]) }));
  const kept = weighed
    .toSorted((one, other) => one.weight - other.weight)
    .filter(({ weight }) => {
      left -= weight;
      return left >= 0;
    });
  return weighed.filter((each) => kept.includes(each)).map(({ field }) => field);
}

const bounded = (result: SubmissionResult<string[]>): SubmissionResult<string[]> => ({
  ...result,
  initialValue: Object.fromEntries(boundFields(Object.entries(result.initialValue ?? {}))),
});

function refuseIfReported(context: Args['context']): void {
  const refusal = context.get(refusalContext);
  if (refusal) throw refusal;
}

/**
 * Reads a form, checks it against `schema` and runs `handle` with what it says. What is wrong goes back
 * with what was typed, beside its field and as a notice, and nothing is stored. A Refusal of the domain
 * is shown the same way. `handle` answers the redirect that follows, or what a page goes on with.
 */
export async function submit<S extends z.ZodType, Answer = Response>(
  { context }: Args,
  schema: S,
  handle: (input: z.output<S>) => Promise<Answer>,
  { secret = [], isQuiet = false }: Options = {},
) {
  const fail = (
    status: number,
    message: string,
    result: SubmissionResult<string[]>,
    headers: HeadersInit = {},
  ) => {
    if (!isQuiet) setFlash(context, 'error', message);
    return data(bounded(result), { status, headers });
  };
  const submission = parseWithZod(formDataOf(context), { schema });
  if (submission.status !== 'success') {
    const errors = Object.values(submission.error ?? {}).flatMap((list) => list ?? []);
    return fail(422, errors[0] ?? 'Please check the form', submission.reply({ hideFields: secret }));
  }
  try {
    refuseIfReported(context);
    return await handle(submission.value);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { field, message, status, retryAfter } = error;
    const headers: HeadersInit = retryAfter ? { 'Retry-After': String(retryAfter) } : {};
    const where = field ? { fieldErrors: { [field]: [message] } } : { formErrors: [message] };
    return fail(status, message, submission.reply({ ...where, hideFields: secret }), headers);
  }
}

/**
 * Runs a command that has no form to go back to (a button). A Refusal becomes a notice, `to` is shown, which may
 * depend on it, and the error stands there at the card with the id `at`, or else above the page.
 */
export async function press(
  { context }: Pick<Args, 'context'>,
  to: string | ((refusal: Refusal) => string),
  handle: () => Promise<Response>,
  at = 'page',
): Promise<Response> {
  try {
    refuseIfReported(context);
    return await handle();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    setFlash(context, 'error', error.message, at);
    return new Response(null, {
      status: 302,
      headers: { Location: typeof to === 'string' ? to : to(error) },
    });
  }
}
