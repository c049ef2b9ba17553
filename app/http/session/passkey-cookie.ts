import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { refusePasskey } from '#app/domain/accounts/two-step/passkey-challenges.ts';
import type { RelyingParty } from '#app/domain/accounts/two-step/register-passkey.ts';
import { env } from '#app/env.ts';
import { isOwnOrigin } from '#app/http/csrf.ts';
import { signedCookie } from './signed-cookie.ts';

const cookie = signedCookie('passkey', z.object({ challengeId: z.uuid() }));

export function relyingParty({ headers }: Request): RelyingParty {
  const origin = headers.get('Origin');
  const isOwn = origin !== null && isOwnOrigin(origin, headers.get('Host'));
  const url = new URL(isOwn ? origin : env().APP_URL);
  return { id: url.hostname, origin: url.origin };
}

type Challenge = { options: Pick<PublicKeyCredentialCreationOptionsJSON, 'challenge'>; challengeId: string };

/** Sends the browser what it is to sign, and a cookie that binds the challenge to this browser. */
export const sendOptions = ({ options, challengeId }: Challenge): Promise<Response> =>
  cookie.remember(Response.json({ options }), { challengeId });

/** The challenge id of this browser. Throws a Refusal without one. */
export async function requireChallenge(request: Request): Promise<string> {
  const challenge = await cookie.read(request);
  if (!challenge) throw refusePasskey();
  return challenge.challengeId;
}

export const clearChallenge = cookie.forget;
