import type { ServerBuild } from 'react-router';
import { db } from '#app/db/client.ts';
import { registerPages } from '#app/domain/visits/page-patterns.ts';
import { takeDropped, writeVisits } from '#app/domain/visits/visit-queue.ts';
import { logger } from '#app/log.ts';

const EACH_MS = 1_000;
/** A flood, or a database that is away, is told of so often. */
const TELL_EACH_MS = 60_000;

type Routes = ServerBuild['routes'];

function pathOf(id: string, routes: Routes): string {
  const { path = '', parentId } = routes[id]!;
  return [parentId ? pathOf(parentId, routes) : '', path].filter(Boolean).join('/');
}

/** The pages of a build: what shows something and is nobody's layout. */
function pagesOf(routes: Routes): string[] {
  const all = Object.values(routes).flatMap((route) => route ?? []);
  const layouts = new Set(all.map(({ parentId }) => parentId));
  const pages = all.filter(({ id, path, module }) => module.default && !layouts.has(id) && path !== '*');
  return pages.map(({ id }) => `/${pathOf(id, routes)}`);
}

/** How many visits were let go since this was told last, and by which bound. */
function logDropped(): void {
  const counts = Object.entries(takeDropped());
  if (counts.length === 0) return;
  const dropped = counts.reduce((sum, [, count]) => sum + count, 0);
  const counted = counts.map(([bound, count]) => `${bound}: ${count}`).join(', ');
  logger().warn({ dropped, counted }, 'visits were let go');
}

/** Writes the visits of this process down each second. What comes back ends that, with the last of them written. */
export function flushVisits(routes: Routes): () => Promise<void> {
  registerPages(pagesOf(routes));
  let writing: Promise<void> | undefined;
  const write = async () => {
    await writing;
    writing = writeVisits(db()).catch((err) => logger().warn({ err }, 'visits could not be written'));
    await writing;
    writing = undefined;
  };
  const timer = setInterval(() => {
    // A database that is slow gets the next batch when it has taken this one: what waits is bounded.
    if (!writing) void write();
  }, EACH_MS);
  const teller = setInterval(logDropped, TELL_EACH_MS);
  for (const each of [timer, teller]) each.unref();
  return async () => {
    for (const each of [timer, teller]) clearInterval(each);
    await write();
    logDropped();
  };
}
