import { env } from '#app/env.ts';

/** For whatever is not a page: it runs nothing and loads nothing, also when a browser shows it by itself. */
const NOT_A_PAGE = `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'`;

type Headers = readonly (readonly [name: string, value: string])[];

const PLAIN: Headers = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Content-Security-Policy', NOT_A_PAGE],
];
const OVER_TLS: Headers = [...PLAIN, ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains']];

/** The headers of every answer, whoever makes it. A page replaces the Content-Security-Policy by its own. */
export const securityHeaders = (): Headers => (env().APP_URL.startsWith('https:') ? OVER_TLS : PLAIN);
