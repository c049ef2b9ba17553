import { createHmac } from 'node:crypto';
import { type RouterContextProvider, redirect } from 'react-router';
import { z } from 'zod';
import { viewerContext } from '#app/context.ts';
import { env } from '#app/env.ts';
import { notify } from './notice.ts';
import { ourCookie } from './our-cookie.ts';

const Attempt = z.object({ email: z.string(), signUpId: z.uuid() });
/** The sign-up a browser has begun. It travels in a signed cookie, so that no address stands in a URL. */
export type Attempt = z.output<typeof Attempt>;

const secretOf = ({ key }: { key: Buffer }) => createHmac('sha256', key).update('cookies').digest('base64');

const cookie = () => ourCookie('sign-up', { maxAge: 86_400, secrets: env().SECRET_KEYS.map(secretOf) });

type Args = { request: Request; context: Readonly<RouterContextProvider> };

/** The attempt of this browser; without one it is sent to where it can begin, or home. */
export async function requireAttempt({ request, context }: Args): Promise<Attempt> {
  const { data } = Attempt.safeParse(await cookie().parse(request.headers.get('Cookie')));
  if (data) return data;
  if (context.get(viewerContext)) throw redirect('/dashboard');
  notify(context, 'error', 'No email found. Please sign up first.');
  throw redirect('/signup');
}

/** Adds to an answer that the browser has begun this attempt. */
export async function rememberAttempt(response: Response, { email, signUpId }: Attempt): Promise<Response> {
  response.headers.append('Set-Cookie', await cookie().serialize({ email, signUpId }));
  return response;
}

export async function forgetAttempt(response: Response): Promise<Response> {
  response.headers.append('Set-Cookie', await cookie().serialize('', { maxAge: 0 }));
  return response;
}
