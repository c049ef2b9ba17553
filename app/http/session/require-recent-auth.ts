import { type MiddlewareFunction, redirect } from 'react-router';
import { z } from 'zod';
import { refusalContext, type Viewer, viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { reauthenticate } from '#app/domain/accounts/reauthenticate.ts';
import { isRecentlyAuthenticated, recordReauthentication } from '#app/domain/accounts/sign-in/sessions.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { signedCookie } from './signed-cookie.ts';

/** What a cookie can hold of a form that waits, in bytes. */
const MOST_KEPT = 2_000;
const LONGEST_ADDRESS = 300;
/** The page that asks for the proof. */
export const CONFIRM = '/app/confirm';
const TOO_LONG = `It has been a while since you confirmed that it is you. Please do so in another tab, at ${CONFIRM}, and send this once more: what you wrote stays here`;

/** A form that waits until its sender has proved to be the owner, and what was wrong with the last proof. */
const Waiting = z.object({
  sessionId: z.uuid(),
  to: z.string().regex(/^\/app\/[!-~]+$/),
  fields: z.array(z.tuple([z.string(), z.string()])),
  problem: z.string().optional(),
});
type Waiting = z.output<typeof Waiting>;

const cookie = signedCookie('confirm', Waiting);
/** By their names pages that fail know that neither is ever shown again. */
export const PROOF_FIELDS = { password: 'proof-password', otp: 'proof-secret-code' };

/** The form of this browser that waits, if one does. */
export async function findWaiting(request: Request, { sessionId }: Viewer): Promise<Waiting | undefined> {
  const waiting = await cookie.read(request);
  return waiting?.sessionId === sessionId ? waiting : undefined;
}

/** The proof that a form brings, taken out of it: nobody else is to see it, or to send it back. */
function takeProof(form: FormData): { password?: string; otp?: string } | undefined {
  const [password, otp] = [form.get(PROOF_FIELDS.password), form.get(PROOF_FIELDS.otp)];
  form.delete(PROOF_FIELDS.password);
  form.delete(PROOF_FIELDS.otp);
  if (password === null && otp === null) return undefined;
  return { password: String(password ?? ''), otp: String(otp ?? '') };
}

type Where = Pick<Parameters<MiddlewareFunction<Response>>[0], 'context' | 'url'>;

/** What a form says, unless no cookie holds it. */
function fieldsOf(form: FormData): [string, string][] | undefined {
  const all = [...form].filter((field): field is [string, string] => typeof field[1] === 'string');
  return Buffer.byteLength(JSON.stringify(all)) <= MOST_KEPT ? all : undefined;
}

/** What the form says goes along, so that it is not typed again. What no cookie holds is left out as a whole. */
async function redirectToConfirm(
  { context, url }: Where,
  { sessionId }: Viewer,
  problem?: string,
): Promise<Response> {
  const to = url.pathname + url.search;
  if (to.length > LONGEST_ADDRESS) return redirect('/app');
  const fields = fieldsOf(formDataOf(context)) ?? [];
  return cookie.remember(redirect(CONFIRM), { sessionId, to, fields, problem });
}

/**
 * Page middleware: who proved to be the owner a while ago is asked for the password again before the form of this page
 * is taken. The page that asks sends the form once more, with the proof, so that it goes on without another step.
 */
export const requireRecentAuth: MiddlewareFunction<Response> = async ({ request, url, context }, next) => {
  const viewer = context.get(viewerContext);
  if (!viewer || request.method === 'GET' || request.method === 'HEAD') return next();
  const proof = takeProof(formDataOf(context));
  if (!proof && isRecentlyAuthenticated(viewer, viewer.cameAt)) return next();
  if (!proof) return redirectToConfirm({ context, url }, viewer);
  try {
    await reauthenticate(db(), viewer.actor, proof);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return redirectToConfirm({ context, url }, viewer, error.message);
  }
  await recordReauthentication(db(), viewer.sessionId);
  return cookie.forget(await next());
};

/**
 * The same for a page with forms of long texts, all of which `submit` takes: what no cookie holds is refused where it stands,
 * with what was typed, and its sender proves to be the owner in another tab.
 */
export const requireRecentAuthOrKeep: MiddlewareFunction<Response> = async (args, next) => {
  const { request, url, context } = args;
  const viewer = context.get(viewerContext);
  const isForm = request.method !== 'GET' && request.method !== 'HEAD';
  if (!viewer || !isForm || isRecentlyAuthenticated(viewer, viewer.cameAt))
    return requireRecentAuth(args, next);
  const fits = (url.pathname + url.search).length <= LONGEST_ADDRESS && fieldsOf(formDataOf(context));
  if (fits) return requireRecentAuth(args, next);
  context.set(refusalContext, new Refusal(403, 'confirm_required', TOO_LONG));
  const answer = (await next()) as Response;
  return cookie.remember(answer, { sessionId: viewer.sessionId, to: CONFIRM, fields: [] });
};
