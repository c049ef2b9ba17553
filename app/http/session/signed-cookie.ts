import { createHmac } from 'node:crypto';
import type { RouterContextProvider } from 'react-router';
import type { z } from 'zod';
import { env } from '#app/env.ts';
import { appCookie } from './cookie.ts';

const A_DAY = 86_400;

const secretOf = ({ key }: { key: Buffer }) => createHmac('sha256', key).update('cookies').digest('base64');

/** The newest first: it signs, and all of them verify. */
export const cookieSecrets = () => env().SECRET_KEYS.map(secretOf);

export type CookieArgs = { request: Request; context: Readonly<RouterContextProvider> };

/** A signed cookie for a flow that needs no session. It keeps emails and ids out of URLs. */
export function signedCookie<Value extends object>(name: string, schema: z.ZodType<Value>) {
  const cookie = () => appCookie(name, { maxAge: A_DAY, secrets: cookieSecrets() });
  return {
    async read(request: Request): Promise<Value | undefined> {
      return schema.safeParse(await cookie().parse(request.headers.get('Cookie'))).data;
    },
    async remember(response: Response, value: Value): Promise<Response> {
      response.headers.append('Set-Cookie', await cookie().serialize(schema.parse(value)));
      return response;
    },
    async forget(response: Response): Promise<Response> {
      response.headers.append('Set-Cookie', await cookie().serialize('', { maxAge: 0 }));
      return response;
    },
  };
}
