import { redirect } from 'react-router';
import { env } from '#app/env.ts';

type Theme = 'light' | 'dark';

const CHOSEN = /(?:^|;\s*)theme=(light|dark)(?:;|$)/;
const YEAR_SECONDS = 31_536_000;

/** What the reader of this browser chose; nothing, when the system decides. */
export const readTheme = (request: Request) =>
  CHOSEN.exec(request.headers.get('Cookie') ?? '')?.[1] as Theme | undefined;

/** The page that a form was sent from, as a place of ours. */
function placeOf(referer: string | null): string {
  if (!referer || !URL.canParse(referer)) return '/';
  const { pathname, search } = new URL(referer);
  return `/${pathname.replace(/^[/\\]+/, '')}${search}`;
}

/** Keeps the choice in this browser and goes back to where it was made. Anything else than a theme is the system's. */
export function chooseTheme(request: Request, chosen: unknown): Response {
  const isTheme = chosen === 'light' || chosen === 'dark';
  const cookie = [
    isTheme ? `theme=${chosen}; Max-Age=${YEAR_SECONDS}` : 'theme=; Max-Age=0',
    'Path=/; SameSite=Lax; HttpOnly',
    env().APP_URL.startsWith('https:') && 'Secure',
  ];
  const headers = { 'Set-Cookie': cookie.filter(Boolean).join('; ') };
  return redirect(placeOf(request.headers.get('Referer')), { headers });
}
