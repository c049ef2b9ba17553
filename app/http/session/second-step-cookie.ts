import { redirect } from 'react-router';
import { z } from 'zod';
import { db } from '#app/db/client.ts';
import { SECOND_STEP_WITHIN_MINUTES } from '#app/domain/accounts/limits.ts';
import { findFirstStep, linkSigner } from '#app/domain/accounts/signed-links.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { notify } from '#app/http/forms/flash.ts';
import { type CookieArgs, signedCookie } from './signed-cookie.ts';

const PAGE = '/login/second-step';

const FirstStep = z.object({ userId: z.uuid(), to: z.string(), at: z.number(), signature: z.string() });
const cookie = signedCookie('second-step', FirstStep);

const saidOf = ({ to, at }: { to: string; at: number }) => `second step ${at} ${to}`;

/** Lets a browser whose user made the first step go on with the second, for a while and with this password alone. */
export async function rememberFirstStep(
  userId: string,
  to: string,
  passwordHash: string | undefined,
  now = databaseNow(),
): Promise<Response> {
  const begun = { userId, to, at: now.getTime() };
  const sign = await linkSigner(db(), userId, passwordHash);
  return cookie.remember(redirect(PAGE), { ...begun, signature: sign(saidOf(begun)) });
}

/** Whether this answer is the one of `rememberFirstStep`: nobody is signed in yet. */
export const requiresSecondStep = (answer: Response) => answer.headers.get('Location') === PAGE;

/** Who is about to make the second step in this browser, where they go then, and the password that they had at the first. */
export type HalfSignedIn = { userId: string; email: string; to: string; passwordHash: string | undefined };

export async function findHalfSignedIn(
  request: Request,
  now = databaseNow(),
): Promise<HalfSignedIn | undefined> {
  const begun = await cookie.read(request);
  if (!begun || now.getTime() - begun.at > SECOND_STEP_WITHIN_MINUTES * 60_000) return undefined;
  const first = await findFirstStep(db(), begun.userId, saidOf(begun), begun.signature);
  return first && { userId: begun.userId, to: begun.to, ...first };
}

/** Who is about to make the second step; a browser that has not made the first is sent to where it can. */
export async function requireHalfSignedIn({ request, context }: CookieArgs): Promise<HalfSignedIn> {
  const found = await findHalfSignedIn(request);
  if (found) return found;
  notify(context, 'error', 'Please sign in again: the second step took too long.');
  throw redirect('/login');
}

export const clearSecondStep = cookie.forget;
