import { env } from '#app/env.ts';

/** What search engines are to know, in the order of its weight. Everything else is somebody's own, or a step of a form. */
export const PUBLIC_PAGES = [
  '/',
  '/signup',
  '/login',
  '/help',
  '/api/docs',
  '/terms',
  '/privacy',
  '/imprint',
];

/** An address of ours in full, as other machines need it. */
export const absoluteUrl = (path: string): string => new URL(path, env().APP_URL).href;
