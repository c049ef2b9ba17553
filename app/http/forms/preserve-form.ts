import type { MiddlewareFunction, RouterContextProvider } from 'react-router';
import { formContext, refusalContext, sentFormContext, viewerContext } from '#app/context.ts';
import { BODY_BYTES_MAX } from '#app/http/limits.ts';
import { readForm } from './read-form.ts';
import { boundFields } from './submit.ts';

/** A signed-in user gets back the whole text of a form that is too long to be accepted, up to this size. */
const RESTORED_BYTES_MAX = 4 * BODY_BYTES_MAX;

async function readSent(
  request: Request,
  context: Readonly<RouterContextProvider>,
): Promise<[string, string][]> {
  const isSignedIn = context.get(viewerContext) !== null;
  const maxBytes = isSignedIn ? RESTORED_BYTES_MAX : BODY_BYTES_MAX;
  try {
    const form = context.get(formContext) ?? (await readForm(request, maxBytes));
    const fields = [...form].filter((field): field is [string, string] => typeof field[1] === 'string');
    return isSignedIn ? fields : boundFields(fields);
  } catch {
    return [];
  }
}

/** Page middleware: lets an error page show the form's fields again, and adds Retry-After to a rate-limited form. */
export const preserveForm: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  if (request.method !== 'POST') return next();
  context.set(sentFormContext, () => readSent(request, context));
  const response = await next();
  const refusal = context.get(refusalContext);
  if (refusal?.retryAfter && response.status === refusal.status) {
    response.headers.set('Retry-After', String(refusal.retryAfter));
  }
  return response;
};
