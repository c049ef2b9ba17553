import type { Db } from '#app/db/client.ts';
import type { MailKind } from '#app/domain/email/templates/templates.ts';
import { type MailSource, trackingParams } from '#app/domain/email/tracking/link-marks.ts';
import { registerPages } from '#app/domain/visits/page-patterns.ts';
import { recordClick } from '#app/domain/visits/record-click.ts';
import { type StoredVisit, storeVisits } from '#app/domain/visits/store-visits.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const [VISITS, MINUTES_APART] = [420, 48];
const VISITORS = 67;

const PAGES = [
  '/',
  '/',
  '/',
  '/signup',
  '/help',
  '/api/docs',
  '/login',
  '/app/dashboard',
  '/app/posts',
  '/privacy',
];
const LOCATIONS = [
  ['DE', 'Hamburg'],
  ['SE', 'Gothenburg'],
  ['GB', 'Leeds'],
  ['US', 'Portland'],
  ['NG', 'Lagos'],
  ['DE', 'Leipzig'],
  ['PL', 'Gdynia'],
] as const;
const AGENTS = [
  ['Desktop', 'Chrome', 'Windows', 1536, 864],
  ['Mobile', 'Safari', 'iOS', 390, 844],
  ['Desktop', 'Firefox', 'Linux', 1920, 1080],
  ['Mobile', 'Chrome', 'Android', 412, 915],
  ['Desktop', 'Safari', 'macOS', 1440, 900],
] as const;
const LANGUAGES = ['de-DE', 'sv-SE', 'en-GB', 'en-US', 'en-NG', 'de-DE', 'pl-PL'];

/** Higher indexes are earlier visits. A visitor always has the same browser, location and address (of TEST-NET-2, RFC 5737). */
function visitOf(index: number, now: Date): StoredVisit {
  const at = new Date(now.getTime() - (index * MINUTES_APART + ((index * 7) % 31)) * MINUTE_MS);
  const visitor = (index * index + 3 * index) % VISITORS;
  const location = visitor % LOCATIONS.length;
  const [country, city] = LOCATIONS[location]!;
  const [device, browser, system, screenWidth, screenHeight] = AGENTS[visitor % AGENTS.length]!;
  const day = at.toISOString().slice(0, 10);
  return {
    visitedAt: at.toISOString(),
    address: `198.51.100.${visitor + 1}`,
    sessionId: `demo-${day}-${visitor}`,
    visitor: String(visitor + 1),
    page: PAGES[(index * 3 + visitor) % PAGES.length]!,
    isReturning: visitor % 3 > 0,
    country,
    city,
    language: LANGUAGES[location]!,
    device,
    browser,
    system,
    screenWidth,
    screenHeight,
  };
}

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
const DESK =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
/** `by` is an index into the addresses of makeVisits(). */
const CLICKS: { kind: MailKind; page: string; hoursAgo: number; by: number; userAgent: string }[] = [
  { kind: 'supportAnswered', page: '/app/support', hoursAgo: 4, by: 0, userAgent: DESK },
  { kind: 'supportAnswered', page: '/app/support', hoursAgo: 49, by: 0, userAgent: PHONE },
  { kind: 'postFailed', page: '/app/posts', hoursAgo: 1, by: 0, userAgent: PHONE },
  { kind: 'connectLinkedIn', page: '/app/linkedin', hoursAgo: 30, by: 1, userAgent: PHONE },
  { kind: 'connectLinkedIn', page: '/app/linkedin', hoursAgo: 55, by: 2, userAgent: DESK },
  { kind: 'verifyEmail', page: '/verify-email', hoursAgo: 100, by: 3, userAgent: PHONE },
  { kind: 'verifyEmail', page: '/verify-email', hoursAgo: 126, by: 4, userAgent: DESK },
];

/** Creates two weeks of visits, and clicks on links in mails to `addresses`. */
export async function makeVisits(db: Db, addresses: string[], now = new Date()): Promise<void> {
  await storeVisits(
    db,
    Array.from({ length: VISITS }, (_, index) => visitOf(index, now)),
  );
  registerPages(CLICKS.map(({ page }) => page));
  for (const { kind, page, hoursAgo, by, userAgent } of CLICKS) {
    const at = new Date(now.getTime() - hoursAgo * HOUR_MS);
    const mailed: MailSource = { address: addresses[by]!, kind, createdAt: new Date(at.getTime() - HOUR_MS) };
    const { email, campaign, ts } = trackingParams(mailed) as Record<'email' | 'campaign' | 'ts', string>;
    await recordClick(db, { email, campaign, ts, page, userAgent }, at);
  }
}
