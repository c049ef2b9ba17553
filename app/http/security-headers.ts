import { env } from '#app/env.ts';

/** For whatever is not a page: it runs nothing and loads nothing, also when a browser shows it by itself. */
const NOT_A_PAGE = `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'`;

/** The headers of every answer, whoever makes it. A page replaces the Content-Security-Policy by its own. */
export function securityHeaders(): [name: string, value: string][] {
  return [
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'strict-origin-when-cross-origin'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Content-Security-Policy', NOT_A_PAGE],
    ...(env().APP_URL.startsWith('https:')
      ? ([['Strict-Transport-Security', 'max-age=31536000; includeSubDomains']] as [string, string][])
      : []),
  ];
}
