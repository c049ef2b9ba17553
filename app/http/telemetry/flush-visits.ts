import type { ServerBuild } from 'react-router';
import { db } from '#app/db/client.ts';
import { registerPages } from '#app/domain/visits/page-patterns.ts';
import { takeDropped, writeVisits } from '#app/domain/visits/visit-queue.ts';
import { logger } from '#app/log.ts';

const FLUSH_EVERY_MS = 1_000;
const LOG_EVERY_MS = 60_000;

type Routes = ServerBuild['routes'];

function pathOf(id: string, routes: Routes): string {
  const { path = '', parentId } = routes[id]!;
  return [parentId ? pathOf(parentId, routes) : '', path].filter(Boolean).join('/');
}

function pagesOf(routes: Routes): string[] {
  const all = Object.values(routes).flatMap((route) => route ?? []);
  const layouts = new Set(all.map(({ parentId }) => parentId));
  const pages = all.filter(({ id, path, module }) => module.default && !layouts.has(id) && path !== '*');
  return pages.map(({ id }) => `/${pathOf(id, routes)}`);
}

function logDropped(): void {
  const counts = Object.entries(takeDropped());
  if (counts.length === 0) return;
  const dropped = counts.reduce((sum, [, count]) => sum + count, 0);
  const counted = counts.map(([bound, count]) => `${bound}: ${count}`).join(', ');
  logger().warn({ dropped, counted }, 'visits were let go');
}

/** Writes queued visits to the database every second. Returns a function that stops it and writes the rest. */
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
    if (!writing) void write();
  }, FLUSH_EVERY_MS);
  const logTimer = setInterval(logDropped, LOG_EVERY_MS);
  for (const each of [timer, logTimer]) each.unref();
  return async () => {
    for (const each of [timer, logTimer]) clearInterval(each);
    await write();
    logDropped();
  };
}
