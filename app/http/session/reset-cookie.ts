import { redirect } from 'react-router';
import { z } from 'zod';
import { setFlash } from '#app/http/forms/flash.ts';
import { type CookieArgs, signedCookie } from './signed-cookie.ts';

const Reset = z.object({ email: z.string(), resetId: z.uuid() });
export type Reset = z.output<typeof Reset>;

const cookie = signedCookie('reset', Reset);

/** The password reset that this browser started. Redirects to the start page of a reset without one. */
export async function requireReset({ request, context }: CookieArgs): Promise<Reset> {
  const reset = await cookie.read(request);
  if (reset) return reset;
  setFlash(context, 'error', 'Please start from forgot password page');
  throw redirect('/forgot-password');
}

export const findReset = cookie.read;
export const rememberReset = cookie.remember;
export const clearReset = cookie.forget;
