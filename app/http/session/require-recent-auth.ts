import { type MiddlewareFunction, redirect } from 'react-router';
import { z } from 'zod';
import { refusalContext, type Viewer, viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { reauthenticate } from '#app/domain/accounts/reauthenticate.ts';
import { isRecentlyAuthenticated, recordReauthentication } from '#app/domain/accounts/sign-in/sessions.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { signedCookie } from './signed-cookie.ts';

const COOKIE_BYTES_MAX = 2_000;
const URL_MAX = 300;
export const CONFIRM = '/app/confirm';
const TOO_LONG = `It has been a while since you confirmed that it is you. Please do so in another tab, at ${CONFIRM}, and send this once more: what you wrote stays here`;

/** A form that is sent again once the user has confirmed. `problem`: why the last attempt failed. */
const PendingForm = z.object({
  sessionId: z.uuid(),
  to: z.string().regex(/^\/app\/[!-~]+$/),
  fields: z.array(z.tuple([z.string(), z.string()])),
  problem: z.string().optional(),
});
type PendingForm = z.output<typeof PendingForm>;

const cookie = signedCookie('confirm', PendingForm);
/** These names count as secret (`isSecret`), so no page shows the values again. */
export const PROOF_FIELDS = { password: 'proof-password', otp: 'proof-secret-code' };

export async function findPendingForm(
  request: Request,
  { sessionId }: Viewer,
): Promise<PendingForm | undefined> {
  const pending = await cookie.read(request);
  return pending?.sessionId === sessionId ? pending : undefined;
}

/** Removes the password or code from a form, so that the action never sees it, and returns it. */
function takeProof(form: FormData): { password?: string; otp?: string } | undefined {
  const [password, otp] = [form.get(PROOF_FIELDS.password), form.get(PROOF_FIELDS.otp)];
  form.delete(PROOF_FIELDS.password);
  form.delete(PROOF_FIELDS.otp);
  if (password === null && otp === null) return undefined;
  return { password: String(password ?? ''), otp: String(otp ?? '') };
}

type MiddlewareArgs = Pick<Parameters<MiddlewareFunction<Response>>[0], 'context' | 'url'>;

/** The fields of a form, or undefined if they do not fit in the cookie. */
function fieldsOf(form: FormData): [string, string][] | undefined {
  const fields = [...form].filter((field): field is [string, string] => typeof field[1] === 'string');
  return Buffer.byteLength(JSON.stringify(fields)) <= COOKIE_BYTES_MAX ? fields : undefined;
}

/** Sends the browser to the confirmation page with the form in a cookie. A form that does not fit is lost. */
async function redirectToConfirmation(
  { context, url }: MiddlewareArgs,
  { sessionId }: Viewer,
  problem?: string,
): Promise<Response> {
  const to = url.pathname + url.search;
  if (to.length > URL_MAX) return redirect('/app');
  const fields = fieldsOf(formDataOf(context)) ?? [];
  return cookie.remember(redirect(CONFIRM), { sessionId, to, fields, problem });
}

/**
 * Page middleware: a form of this page is accepted only if the user has confirmed their password or a code recently.
 * Otherwise the confirmation page asks for one, and posts the same form here again with it.
 */
export const requireRecentAuth: MiddlewareFunction<Response> = async ({ request, url, context }, next) => {
  const viewer = context.get(viewerContext);
  if (!viewer || request.method === 'GET' || request.method === 'HEAD') return next();
  const proof = takeProof(formDataOf(context));
  if (!proof && isRecentlyAuthenticated(viewer, viewer.requestedAt)) return next();
  if (!proof) return redirectToConfirmation({ context, url }, viewer);
  try {
    await reauthenticate(db(), viewer.actor, proof);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return redirectToConfirmation({ context, url }, viewer, error.message);
  }
  await recordReauthentication(db(), viewer.sessionId);
  return cookie.forget(await next());
};

/**
 * The same for a page whose forms may be too long for a cookie and are handled by `submit`: such a form keeps its text and
 * shows an error, and the user confirms in another tab.
 */
export const requireRecentAuthOrKeep: MiddlewareFunction<Response> = async (args, next) => {
  const { request, url, context } = args;
  const viewer = context.get(viewerContext);
  const isForm = request.method !== 'GET' && request.method !== 'HEAD';
  if (!viewer || !isForm || isRecentlyAuthenticated(viewer, viewer.requestedAt))
    return requireRecentAuth(args, next);
  const fits = (url.pathname + url.search).length <= URL_MAX && fieldsOf(formDataOf(context));
  if (fits) return requireRecentAuth(args, next);
  context.set(refusalContext, new Refusal(403, 'confirm_required', TOO_LONG));
  const response = (await next()) as Response;
  return cookie.remember(response, { sessionId: viewer.sessionId, to: CONFIRM, fields: [] });
};
