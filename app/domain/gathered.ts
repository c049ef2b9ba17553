import type { Db } from '#app/db/client.ts';

/** Longer than this nobody waits for others who want the same. */
const GATHER_MS = 20;

type Asked<T> = { item: T } & Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>;

/**
 * A function that is called for one item and does its work for all that were asked for at about the same
 * time: a statement for each would be the bottleneck. `work` answers a promise for each item, in their order.
 */
export function gathered<T>(work: (db: Db, items: T[]) => Promise<Promise<void>[]>) {
  const waiting = new WeakMap<Db, Asked<T>[]>();
  const begin = async (db: Db) => {
    const asked = waiting.get(db)!;
    waiting.delete(db);
    try {
      const items = asked.map(({ item }) => item);
      for (const [nth, done] of (await work(db, items)).entries()) {
        const { resolve, reject } = asked[nth]!;
        done.then(resolve, reject);
      }
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  };
  return (db: Db, item: T): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const asked = waiting.get(db);
    if (asked) asked.push({ item, resolve, reject });
    else {
      waiting.set(db, [{ item, resolve, reject }]);
      setTimeout(() => void begin(db), GATHER_MS);
    }
    return promise;
  };
}
