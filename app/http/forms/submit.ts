import type { SubmissionResult } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { data, type RouterContextProvider } from 'react-router';
import type { z } from 'zod';
import { refusalContext } from '#app/context.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { setFlash } from './flash.ts';
import { formDataOf } from './read-form.ts';

const ECHOED_BYTES_MAX = 24 * 1024;

type Args = { context: Readonly<RouterContextProvider> };
type Options = {
  /** Fields that are never sent back to the browser. */
  secret?: string[];
  /** For forms that save while the user types: errors appear beside the fields only, without a flash message. */
  isQuiet?: boolean;
};

/** The size of a value in HTML: an escaped character takes up to six bytes. */
function htmlSize(value: unknown): number {
  const text = JSON.stringify(value) ?? '';
  return Buffer.byteLength(text) + 5 * (text.match(/[<>&"'\\]/g)?.length ?? 0);
}

/** Drops the longest fields until the others fit into one page. */
export function boundFields<Value>(fields: [string, Value][]): [string, Value][] {
  let remaining = ECHOED_BYTES_MAX;
  const measured = fields.map((field) => ({ field, size: htmlSize(field[0]) + htmlSize(field[1]) }));
  const fitting = measured
    .toSorted((one, other) => one.size - other.size)
    .filter(({ size }) => {
      remaining -= size;
      return remaining >= 0;
    });
  return measured.filter((each) => fitting.includes(each)).map(({ field }) => field);
}

const bounded = (result: SubmissionResult<string[]>): SubmissionResult<string[]> => ({
  ...result,
  initialValue: Object.fromEntries(boundFields(Object.entries(result.initialValue ?? {}))),
});

function throwEarlierRefusal(context: Args['context']): void {
  const refusal = context.get(refusalContext);
  if (refusal) throw refusal;
}

/**
 * Validates the form against `schema` and calls `handle` with the result. A validation error or a Refusal returns the
 * submitted values with the error at its field, and sets a flash message. Otherwise returns what `handle` returns: a
 * redirect, or data for the page.
 */
export async function submit<S extends z.ZodType, Result = Response>(
  { context }: Args,
  schema: S,
  handle: (input: z.output<S>) => Promise<Result>,
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
    throwEarlierRefusal(context);
    return await handle(submission.value);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { field, message, status, retryAfter } = error;
    const headers: HeadersInit = retryAfter ? { 'Retry-After': String(retryAfter) } : {};
    const errors = field ? { fieldErrors: { [field]: [message] } } : { formErrors: [message] };
    return fail(status, message, submission.reply({ ...errors, hideFields: secret }), headers);
  }
}

/**
 * Runs the command of a button, which has no fields to show again. A Refusal becomes a flash message and a redirect to
 * `to`, where it is also shown in the card with the id `at`, or above the page.
 */
export async function press(
  { context }: Pick<Args, 'context'>,
  to: string | ((refusal: Refusal) => string),
  handle: () => Promise<Response>,
  at = 'page',
): Promise<Response> {
  try {
    throwEarlierRefusal(context);
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
