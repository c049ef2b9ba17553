import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { refusePasskey } from '#app/domain/accounts/two-step/passkey-challenges.ts';
import type { RelyingParty } from '#app/domain/accounts/two-step/register-passkey.ts';
import { env } from '#app/env.ts';
import { isOwnOrigin } from '#app/http/csrf.ts';
import { signedCookie } from './signed-cookie.ts';

const cookie = signedCookie('passkey', z.object({ challengeId: z.uuid() }));

/** Whose passkeys these are: the origin that our page is on, which is APP_URL but on a machine of one's own. */
export function relyingParty({ headers }: Request): RelyingParty {
  const origin = headers.get('Origin');
  const { hostname, origin: used } = new URL(
    origin !== null && isOwnOrigin(origin, headers.get('Host')) ? origin : env().APP_URL,
  );
  return { id: hostname, origin: used };
}

type Challenge = { options: Pick<PublicKeyCredentialCreationOptionsJSON, 'challenge'>; challengeId: string };

/** Tells the browser what it is asked to sign, and remembers that it was this browser. */
export const sendOptions = ({ options, challengeId }: Challenge): Promise<Response> =>
  cookie.remember(Response.json({ options }), { challengeId });

/** The challenge that this browser was given; refuses without one. */
export async function requireChallenge(request: Request): Promise<string> {
  const asked = await cookie.read(request);
  if (!asked) throw refusePasskey();
  return asked.challengeId;
}

export const clearChallenge = cookie.forget;
