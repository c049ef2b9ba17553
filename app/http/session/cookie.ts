import { createCookie } from 'react-router';
import { env } from '#app/env.ts';

type Options = { maxAge: number; secrets?: string[] };

/** A cookie of ours, which no script can read; with https only this very host can have set it. */
export function appCookie(name: string, options: Options) {
  const secure = env().APP_URL.startsWith('https:');
  const kept = { httpOnly: true, secure, sameSite: 'lax', path: '/' } as const;
  return createCookie(secure ? `__Host-${name}` : name, { ...kept, ...options });
}
