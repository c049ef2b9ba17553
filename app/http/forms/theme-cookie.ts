import { redirect } from 'react-router';
import { env } from '#app/env.ts';

type Theme = 'light' | 'dark';

const THEME = /(?:^|;\s*)theme=(light|dark)(?:;|$)/;
const YEAR_SECONDS = 31_536_000;

export const readTheme = (request: Request) =>
  THEME.exec(request.headers.get('Cookie') ?? '')?.[1] as Theme | undefined;

function refererPath(referer: string | null): string {
  if (!referer || !URL.canParse(referer)) return '/';
  const { pathname, search } = new URL(referer);
  return `/${pathname.replace(/^[/\\]+/, '')}${search}`;
}

/** Stores the theme in this browser and redirects back. Any other value clears it. */
export function chooseTheme(request: Request, chosen: unknown): Response {
  const isTheme = chosen === 'light' || chosen === 'dark';
  const cookie = [
    isTheme ? `theme=${chosen}; Max-Age=${YEAR_SECONDS}` : 'theme=; Max-Age=0',
    'Path=/; SameSite=Lax; HttpOnly',
    env().APP_URL.startsWith('https:') && 'Secure',
  ];
  const headers = { 'Set-Cookie': cookie.filter(Boolean).join('; ') };
  return redirect(refererPath(request.headers.get('Referer')), { headers });
}
