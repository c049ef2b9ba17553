import { redirect } from 'react-router';
import { z } from 'zod';
import { viewerContext } from '#app/context.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { type CookieArgs, signedCookie } from './signed-cookie.ts';

const Attempt = z.object({ email: z.string(), signUpId: z.uuid() });
export type Attempt = z.output<typeof Attempt>;

const cookie = signedCookie('sign-up', Attempt);

export const findAttempt = cookie.read;
export const rememberAttempt = cookie.remember;
export const clearAttempt = cookie.forget;

/** The sign-up of this browser. Without one, redirects to the sign-up page, or a signed-in user to the dashboard. */
export async function requireAttempt({ request, context }: CookieArgs): Promise<Attempt> {
  const attempt = await findAttempt(request);
  if (attempt) return attempt;
  if (context.get(viewerContext)) throw redirect('/dashboard');
  setFlash(context, 'error', 'No email found. Please sign up first.');
  throw redirect('/signup');
}
