import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { PasskeySignIn } from '#app/domain/accounts/schema.ts';
import { checkPasskey, requestPasskey } from '#app/domain/accounts/two-step/authenticate-passkey.ts';
import { refusePasskey } from '#app/domain/accounts/two-step/passkey-challenges.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { press } from '#app/http/forms/submit.ts';
import { limit } from '#app/http/rate-limit.ts';
import {
  clearChallenge,
  relyingParty,
  requireChallenge,
  sendOptions,
} from '#app/http/session/passkey-cookie.ts';
import { findReturnTo } from '#app/http/session/return-to-cookie.ts';
import {
  clearSecondStep,
  findHalfSignedIn,
  requireHalfSignedIn,
} from '#app/http/session/second-step-cookie.ts';
import { signIn } from '#app/http/session/session.ts';
import { parseReturnTo } from '#app/routes/auth/return-to.ts';
import type { Route } from './+types/passkey.ts';

/** Sends the options for the browser's passkey call. Without a first step the passkey itself names the user. */
async function sendChallenge(request: Request, step: unknown): Promise<Response> {
  try {
    await limit(request, 'passkey', '');
    const half = step === 'second' ? await findHalfSignedIn(request) : null;
    if (half === undefined) throw new Refusal(401, 'unauthenticated', 'Please sign in again');
    return await sendOptions(await requestPasskey(db(), half ? half.userId : null, relyingParty(request)));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return Response.json({ message: error.message }, { status: error.status });
  }
}

export const loader = () => redirect('/login');

/** The first request has no `response` and returns the challenge; the second signs in with the signed one. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = formDataOf(context);
  const step = form.get('step');
  if (!form.has('response')) return sendChallenge(request, step);
  const half = step === 'second' ? await requireHalfSignedIn({ request, context }) : null;
  return press({ context }, half ? '/login/second-step' : '/login', async () => {
    await limit(request, 'passkey', '');
    const { data: signed } = PasskeySignIn.safeParse({ response: form.get('response') });
    if (!signed) throw refusePasskey();
    const assertion = { ...signed, challengeId: await requireChallenge(request) };
    const { userId } = await checkPasskey(db(), half ? half.userId : null, assertion, relyingParty(request));
    const to = half?.to ?? parseReturnTo(form.get('to')) ?? (await findReturnTo(request)) ?? '/dashboard';
    const response = await signIn(request, userId, to, { isPassed: true, passwordHash: half?.passwordHash });
    setFlash(context, 'success', 'Welcome back!');
    return clearChallenge(await clearSecondStep(response));
  });
}
