import type { MiddlewareFunction, RouterContextProvider } from 'react-router';
import { formContext, refusalContext, sentFormContext, viewerContext } from '#app/context.ts';
import { BODY_BYTES_MAX } from '#app/http/limits.ts';
import { readForm } from './read-form.ts';
import { boundFields } from './submit.ts';

/** A form of somebody we know that is too long to be taken goes back as a whole up to this. */
const LONGEST_GIVEN_BACK = 4 * BODY_BYTES_MAX;

/** The fields of a form, empty when it could not be read as one. */
async function readSent(
  request: Request,
  context: Readonly<RouterContextProvider>,
): Promise<[string, string][]> {
  const isKnown = context.get(viewerContext) !== null;
  const most = isKnown ? LONGEST_GIVEN_BACK : BODY_BYTES_MAX;
  try {
    const form = context.get(formContext) ?? (await readForm(request, most));
    const fields = [...form].filter((field): field is [string, string] => typeof field[1] === 'string');
    return isKnown ? fields : boundFields(fields);
  } catch {
    return [];
  }
}

/**
 * Page middleware: what one of our forms says can be given back when nothing comes of it. Whose form came too soon is
 * told when to come again.
 */
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
