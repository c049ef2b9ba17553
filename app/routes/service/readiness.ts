import { db } from '#app/db/client.ts';
import { findUnready } from '#app/domain/operations/readiness.ts';
import type { Route } from './+types/readiness.ts';

/** `for=web` checks this process only; otherwise the whole service is checked. */
export async function loader({ request }: Route.LoaderArgs) {
  const isWeb = new URL(request.url).searchParams.get('for') === 'web';
  const failing = await findUnready(db(), isWeb ? 'web' : 'all');
  const headers = { 'Cache-Control': 'no-store' };
  if (failing.length === 0) return Response.json({ status: 'ready' }, { headers });
  return Response.json({ status: 'not_ready', failing }, { status: 503, headers });
}
