import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '#app/db/client.ts';

/** How long items are gathered; `max` while another batch is running. */
const WINDOW_MS = { min: 20, max: 200 };

type Queued<T> = { item: T } & Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>;

/**
 * Returns a function that takes one item and processes it in a batch with the items of other calls at about the same
 * time, because a statement for each would be the bottleneck. `work` returns a promise for each item, in their order.
 * Under load work takes longer, so the batches become larger.
 */
export function microBatch<T>(work: (db: Db, items: T[]) => Promise<Promise<void>[]>) {
  const waiting = new WeakMap<Db, Queued<T>[]>();
  const runningBatches = new WeakMap<Db, Promise<void>>();
  const runBatch = async (db: Db) => {
    const queued = waiting.get(db)!;
    waiting.delete(db);
    try {
      const items = queued.map(({ item }) => item);
      for (const [index, done] of (await work(db, items)).entries()) {
        const { resolve, reject } = queued[index]!;
        done.then(resolve, reject);
      }
    } catch (error) {
      for (const { reject } of queued) reject(error);
    }
  };
  const scheduleBatch = async (db: Db) => {
    const previous = runningBatches.get(db);
    await wait(WINDOW_MS.min);
    await Promise.race([previous, wait(WINDOW_MS.max - WINDOW_MS.min)]);
    runningBatches.set(db, runBatch(db));
  };
  return (db: Db, item: T): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queued = waiting.get(db);
    if (queued) queued.push({ item, resolve, reject });
    else {
      waiting.set(db, [{ item, resolve, reject }]);
      void scheduleBatch(db);
    }
    return promise;
  };
}
