import type { Db } from '#app/db/client.ts';
import { enqueueAll, type Job, jobs } from '#app/domain/platform/jobs.ts';
import { env } from '#app/env.ts';
import { confirmAttempt, publishPost } from './publish-post.ts';
import { stopping } from './shutdown-signal.ts';

/** With fewer workers than this there is no limit by kind of job. */
const MIN_CONCURRENCY_TO_SHARE = 8;

type Work = {
  run: (id: string) => Promise<void>;
  /** Adds jobs again that did not end here. */
  requeue: (ids: string[]) => Promise<void>;
};

/**
 * Limits the jobs of one kind to a share of the workers of a process, so that slow calls leave workers for the ticks and
 * batches. Beyond the limit an id waits in a list, its job ends, and a job that ends takes the next id. If the process
 * dies, the waiting ids are added again like those of a dead worker.
 */
class ConcurrencyLimit {
  readonly #max: number;
  #running = 0;
  readonly #waiting = new Set<string>();

  constructor(share: number, concurrency = env().WORKER_CONCURRENCY) {
    this.#max = concurrency < MIN_CONCURRENCY_TO_SHARE ? concurrency : Math.floor(concurrency * share);
  }

  /** Runs waiting ids, `id` among them, until none waits or the limit is reached. Stops at the first error. */
  async run(id: string, { run, requeue }: Work): Promise<void> {
    this.#waiting.add(id);
    try {
      for (let next = this.#take(); next; next = this.#take()) {
        await run(next)
          .catch(async (error) => {
            // The queue retries this job with its own id only.
            if (next !== id) await requeue([next!]);
            throw error;
          })
          .finally(() => this.#running--);
      }
    } finally {
      if (stopping.aborted) await requeue(this.#clear());
    }
  }

  #take(): string | undefined {
    const [next] = this.#waiting;
    if (next === undefined || stopping.aborted || this.#running >= this.#max) return undefined;
    this.#waiting.delete(next);
    this.#running++;
    return next;
  }

  #clear(): string[] {
    const all = [...this.#waiting];
    this.#waiting.clear();
    return all;
  }
}

/** Runs the jobs of one kind in a process and database within a share of its workers. */
function limitTo<P>(share: number, job: Job<P>, payloadOf: (id: string) => P, run: typeof publishPost) {
  const limits = new WeakMap<Db, ConcurrencyLimit>();
  return (db: Db, id: string): Promise<void> => {
    const limit = limits.get(db) ?? new ConcurrencyLimit(share);
    limits.set(db, limit);
    return limit.run(id, {
      run: (each) => run(db, each),
      requeue: (ids) => enqueueAll(db, job, ids.map(payloadOf)),
    });
  };
}

// Images have an eighth, see `image-queue.ts`, so an eighth remains for other jobs.
export const publishOne = limitTo(1 / 2, jobs.publishPost, (postId) => ({ postId }), publishPost);
export const confirmOne = limitTo(1 / 4, jobs.confirmAttempt, (attemptId) => ({ attemptId }), confirmAttempt);
