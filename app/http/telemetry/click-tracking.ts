import { type MiddlewareFunction, redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { TRACKING_PARAMS } from '#app/domain/email/tracking/link-marks.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { recordClick } from '#app/domain/visits/record-click.ts';
import { type Click, ClickInput } from '#app/domain/visits/schema.ts';
import { isClickCounted } from '#app/http/rate-limit.ts';
import { logger } from '#app/log.ts';
import { hasPrivacySignal } from './visit-endpoint.ts';

/** More are not written down side by side: pages need the connections. */
const MOST_AT_ONCE = 2;
let underWay = 0;

const isFetchedAhead = ({ headers }: Request) =>
  /prefetch|prerender|preview/i.test(headers.get('Sec-Purpose') ?? headers.get('Purpose') ?? '');

/**
 * Has a click written down, after the answer: neither what it says nor how long it takes tells whether we know the address,
 * and nobody waits for it.
 */
export async function noteClick(request: Request, said: Click): Promise<void> {
  if (hasPrivacySignal(request) || isFetchedAhead(request)) return;
  if (!(await isClickCounted(request)) || underWay >= MOST_AT_ONCE) return;
  const userAgent = request.headers.get('User-Agent') ?? '';
  underWay += 1;
  const { email, campaign, ts, page } = said;
  const click = { email, campaign: campaign ?? '', ts: String(ts ?? ''), page: page ?? '/', userAgent };
  void recordClick(db(), click, databaseNow())
    .catch((err) => logger().warn({ err }, 'a click could not be written down'))
    .finally(() => {
      underWay -= 1;
    });
}

/**
 * Page middleware: who comes by a link of a mail is counted, and led to the same page without what the link said of them,
 * before anything is shown: the address bar, the history and what other sites learn of where one came from are clean.
 */
export const takeClick: MiddlewareFunction<Response> = async ({ request, url }, next) => {
  const { searchParams } = url;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead || searchParams.get('source') !== 'email' || !searchParams.has('email')) return next();
  const said = ClickInput.safeParse({ ...Object.fromEntries(searchParams), page: url.pathname });
  if (request.method === 'GET' && said.success) await noteClick(request, said.data);
  const kept = new URLSearchParams(searchParams);
  for (const name of TRACKING_PARAMS) kept.delete(name);
  const query = kept.size > 0 ? `?${kept}` : '';
  // Two strokes at its beginning would make a host of the path.
  const to = url.pathname.replace(/^[/\\]+/, '/') + query;
  throw redirect(to, { headers: { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' } });
};
