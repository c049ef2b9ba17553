import type { Db } from '#app/db/client.ts';

/**
 * A read that is asked for by everybody: at most once in so many milliseconds is it made, and whoever comes while it is
 * being made waits for the same. `forget` has the next one make it anew.
 */
export function memoizeFor<T>(ms: number, read: (db: Db) => Promise<T>) {
  const kept = new WeakMap<Db, { until: number; answer: Promise<T> }>();
  const forget = (db: Db) => void kept.delete(db);
  const ask = (db: Db): Promise<T> => {
    const found = kept.get(db);
    if (found && performance.now() < found.until) return found.answer;
    const answer = read(db);
    const own = { until: performance.now() + ms, answer };
    kept.set(db, own);
    answer.catch(() => kept.get(db) === own && forget(db));
    return answer;
  };
  return { ask, forget };
}
