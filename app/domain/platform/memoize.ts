import type { Db } from '#app/db/client.ts';

/** Caches a query's result for `ms` milliseconds for each database, and shares a running query. */
export function memoizeFor<T>(ms: number, read: (db: Db) => Promise<T>) {
  const cache = new WeakMap<Db, { until: number; result: Promise<T> }>();
  const clear = (db: Db) => void cache.delete(db);
  const get = (db: Db): Promise<T> => {
    const cached = cache.get(db);
    if (cached && performance.now() < cached.until) return cached.result;
    const result = read(db);
    const entry = { until: performance.now() + ms, result };
    cache.set(db, entry);
    result.catch(() => cache.get(db) === entry && clear(db));
    return result;
  };
  return { get, clear };
}
