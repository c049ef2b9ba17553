import { type MiddlewareFunction, redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { TRACKING_PARAMS } from '#app/domain/email/tracking/link-marks.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { recordClick } from '#app/domain/visits/record-click.ts';
import { type Click, ClickInput } from '#app/domain/visits/schema.ts';
import { isClickAllowed } from '#app/http/rate-limit.ts';
import { logger } from '#app/log.ts';
import { hasPrivacySignal } from './visit-endpoint.ts';

/** More concurrent clicks are dropped: pages need the database connections. */
const CONCURRENT_MAX = 2;
let running = 0;

const isPrefetch = ({ headers }: Request) =>
  /prefetch|prerender|preview/i.test(headers.get('Sec-Purpose') ?? headers.get('Purpose') ?? '');

/** Records a click in the background, so that the response time does not tell whether the email has an account. */
export async function trackClick(request: Request, { email, campaign, ts, page }: Click): Promise<void> {
  if (hasPrivacySignal(request) || isPrefetch(request)) return;
  if (!(await isClickAllowed(request)) || running >= CONCURRENT_MAX) return;
  const userAgent = request.headers.get('User-Agent') ?? '';
  running += 1;
  const click = { email, campaign: campaign ?? '', ts: String(ts ?? ''), page: page ?? '/', userAgent };
  void recordClick(db(), click, databaseNow())
    .catch((err) => logger().warn({ err }, 'a click could not be written down'))
    .finally(() => {
      running -= 1;
    });
}

/**
 * Page middleware: counts a click on a link in an email, and redirects to the same page without the tracking parameters,
 * so that they get into neither the history nor a Referer header.
 */
export const clickMiddleware: MiddlewareFunction<Response> = async ({ request, url }, next) => {
  const { searchParams } = url;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead || searchParams.get('source') !== 'email' || !searchParams.has('email')) return next();
  const click = ClickInput.safeParse({ ...Object.fromEntries(searchParams), page: url.pathname });
  if (request.method === 'GET' && click.success) await trackClick(request, click.data);
  const params = new URLSearchParams(searchParams);
  for (const name of TRACKING_PARAMS) params.delete(name);
  const query = params.size > 0 ? `?${params}` : '';
  // A leading "//" would make the path a host.
  const to = url.pathname.replace(/^[/\\]+/, '/') + query;
  throw redirect(to, { headers: { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' } });
};
