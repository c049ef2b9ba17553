import { supportEmail } from '#app/domain/accounts/two-step/verify.ts';
import { absoluteUrl } from '#app/http/public-site.ts';

const DAY_MS = 86_400_000;
/** RFC 9116 recommends less than a year. */
const GOOD_FOR_DAYS = 180;

/** Where to report a vulnerability (RFC 9116). Its comments summarise SECURITY.md. */
export function loader() {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const text = [
    '# Tell us of a weakness in any language, and how to see it. We answer within 3 business days.',
    '# How soon it is mended goes by what it lets somebody do: what is critical comes first.',
    '# Look with accounts of your own and keep nothing of others: then we take no legal steps against you.',
    `Contact: mailto:${supportEmail()}`,
    `Expires: ${new Date(today + GOOD_FOR_DAYS * DAY_MS).toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${absoluteUrl('/.well-known/security.txt')}`,
    '',
  ].join('\n');
  return new Response(text, {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
  });
}
