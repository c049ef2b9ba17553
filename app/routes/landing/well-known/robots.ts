import { absoluteUrl } from '#app/http/public-site.ts';

/** Private pages and APIs. */
const PRIVATE = ['/app', '/api/', '/auth/', '/approval/', '/payment-screenshots/'];

export function loader() {
  const lines = ['User-agent: *', ...PRIVATE.map((path) => `Disallow: ${path}`), ''];
  const text = [...lines, `Sitemap: ${absoluteUrl('/sitemap.xml')}`, ''].join('\n');
  return new Response(text, {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
  });
}
