import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '#app/db/client.ts';

/** So long items are gathered; longer while others are at work, whose end is waited for, but not for ever. */
const GATHER_MS = { least: 20, most: 200 };

type Queued<T> = { item: T } & Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>;

/**
 * A function that is called for one item and does its work for all that were asked for at about the same
 * time: a statement for each would be the bottleneck. `work` answers a promise for each item, in their order.
 * The more there is to do, the longer work takes, and the more the next takes at once.
 */
export function microBatch<T>(work: (db: Db, items: T[]) => Promise<Promise<void>[]>) {
  const waiting = new WeakMap<Db, Queued<T>[]>();
  const working = new WeakMap<Db, Promise<void>>();
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
  const beginInTime = async (db: Db) => {
    const before = working.get(db);
    await wait(GATHER_MS.least);
    await Promise.race([before, wait(GATHER_MS.most - GATHER_MS.least)]);
    working.set(db, begin(db));
  };
  return (db: Db, item: T): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const asked = waiting.get(db);
    if (asked) asked.push({ item, resolve, reject });
    else {
      waiting.set(db, [{ item, resolve, reject }]);
      void beginInTime(db);
    }
    return promise;
  };
}
