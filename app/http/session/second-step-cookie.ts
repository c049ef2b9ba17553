import { redirect } from 'react-router';
import { z } from 'zod';
import { db } from '#app/db/client.ts';
import { SECOND_STEP_WITHIN_MINUTES } from '#app/domain/accounts/limits.ts';
import { findFirstStep, linkSigner } from '#app/domain/accounts/signed-links.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { type CookieArgs, signedCookie } from './signed-cookie.ts';

const PAGE = '/login/second-step';

const FirstStep = z.object({ userId: z.uuid(), to: z.string(), at: z.number(), signature: z.string() });
const cookie = signedCookie('second-step', FirstStep);

const signedText = ({ to, at }: { to: string; at: number }) => `second step ${at} ${to}`;

/**
 * Redirects to the second step, with a cookie that proves the first one. It expires, and is void once the user has another
 * password.
 */
export async function rememberFirstStep(
  userId: string,
  to: string,
  passwordHash: string | undefined,
  now = databaseNow(),
): Promise<Response> {
  const firstStep = { userId, to, at: now.getTime() };
  const sign = await linkSigner(db(), userId, passwordHash);
  return cookie.remember(redirect(PAGE), { ...firstStep, signature: sign(signedText(firstStep)) });
}

/** Whether this is the response of `rememberFirstStep`: the user is not signed in yet. */
export const requiresSecondStep = (response: Response) => response.headers.get('Location') === PAGE;

/** A user between the two steps. `to`: where to go after the second. `passwordHash`: that of the first step. */
export type HalfSignedIn = { userId: string; email: string; to: string; passwordHash: string | undefined };

export async function findHalfSignedIn(
  request: Request,
  now = databaseNow(),
): Promise<HalfSignedIn | undefined> {
  const firstStep = await cookie.read(request);
  if (!firstStep || now.getTime() - firstStep.at > SECOND_STEP_WITHIN_MINUTES * 60_000) return undefined;
  const { userId, to, signature } = firstStep;
  const user = await findFirstStep(db(), userId, signedText(firstStep), signature);
  return user && { userId, to, ...user };
}

/** Like `findHalfSignedIn`, but redirects to the sign-in page if there is none. */
export async function requireHalfSignedIn({ request, context }: CookieArgs): Promise<HalfSignedIn> {
  const user = await findHalfSignedIn(request);
  if (user) return user;
  setFlash(context, 'error', 'Please sign in again: the second step took too long.');
  throw redirect('/login');
}

export const clearSecondStep = cookie.forget;
