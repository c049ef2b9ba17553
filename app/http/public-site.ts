import { env } from '#app/env.ts';

/** The pages in the sitemap, the most important first. */
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

export const absoluteUrl = (path: string): string => new URL(path, env().APP_URL).href;
