import { createCookie } from 'react-router';
import { env } from '#app/env.ts';

type Options = { maxAge: number; secrets?: string[] };

/** A cookie that scripts cannot read. With https, the `__Host-` prefix keeps other hosts from setting it. */
export function appCookie(name: string, options: Options) {
  const secure = env().APP_URL.startsWith('https:');
  const attributes = { httpOnly: true, secure, sameSite: 'lax', path: '/' } as const;
  return createCookie(secure ? `__Host-${name}` : name, { ...attributes, ...options });
}
