import { db } from '#app/db/client.ts';
import { findUnready } from '#app/domain/operations/readiness.ts';
import type { Route } from './+types/readiness.ts';

/** Whether the service does its work; with `for=web`, whether this process can do its own. */
export async function loader({ request }: Route.LoaderArgs) {
  const isWeb = new URL(request.url).searchParams.get('for') === 'web';
  const failing = await findUnready(db(), isWeb ? 'web' : 'all');
  const headers = { 'Cache-Control': 'no-store' };
  if (failing.length === 0) return Response.json({ status: 'ready' }, { headers });
  return Response.json({ status: 'not_ready', failing }, { status: 503, headers });
}
