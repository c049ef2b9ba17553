import type { Db } from '#app/db/client.ts';
import { enqueueAll, jobs } from '#app/domain/platform/jobs.ts';
import { env } from '#app/env.ts';
import { confirmAttempt, publishPost } from './publish-one.ts';
import { stopping } from './shutdown-signal.ts';

/** Of a process with fewer jobs than that every one may be the same. */
const SHARED_FROM = 8;

type Run = {
  job: (id: string) => Promise<void>;
  /** Adds the jobs of these again: they did not come to an end here. */
  leave: (ids: string[]) => Promise<void>;
};

/**
 * The jobs of one kind in one process have a share of its workers: however long LinkedIn takes for them, some are left
 * for the ticks and the posts of a minute. What finds no place waits outside its job, in a list, for one that ends. What
 * waits when the process dies is added again as what a dead worker had.
 */
class Places {
  readonly #most: number;
  #taken = 0;
  readonly #waiting = new Set<string>();

  constructor(share: number, concurrency = env().WORKER_CONCURRENCY) {
    this.#most = concurrency < SHARED_FROM ? concurrency : Math.floor(concurrency * share);
  }

  /** Runs what has a place until nothing waits. After an error the jobs that are left, or its own next try, go on. */
  async run(id: string, { job, leave }: Run): Promise<void> {
    this.#waiting.add(id);
    try {
      for (let next = this.#take(); next; next = this.#take()) {
        await job(next)
          .catch(async (error) => {
            if (next !== id) await leave([next!]);
            throw error;
          })
          .finally(() => this.#taken--);
      }
    } finally {
      if (stopping.aborted) await leave(this.#clear());
    }
  }

  #take(): string | undefined {
    const [next] = this.#waiting;
    if (next === undefined || stopping.aborted || this.#taken >= this.#most) return undefined;
    this.#waiting.delete(next);
    this.#taken++;
    return next;
  }

  #clear(): string[] {
    const all = [...this.#waiting];
    this.#waiting.clear();
    return all;
  }
}

function placesWith(share: number): (db: Db) => Places {
  const placesOf = new WeakMap<Db, Places>();
  return (db) => {
    const places = placesOf.get(db) ?? new Places(share);
    placesOf.set(db, places);
    return places;
  };
}

/** With the eighth that pictures may have, an eighth is left. */
const [posts, confirmations] = [placesWith(1 / 2), placesWith(1 / 4)];

/** As `publishPost`, when there is a place for it. */
export const publishOne = (db: Db, postId: string): Promise<void> =>
  posts(db).run(postId, {
    job: (id) => publishPost(db, id),
    leave: (ids) =>
      enqueueAll(
        db,
        jobs.publishPost,
        ids.map((id) => ({ postId: id })),
      ),
  });

/** As `confirmAttempt`, when there is a place for it. */
export const confirmOne = (db: Db, attemptId: string): Promise<void> =>
  confirmations(db).run(attemptId, {
    job: (id) => confirmAttempt(db, id),
    leave: (ids) =>
      enqueueAll(
        db,
        jobs.confirmAttempt,
        ids.map((id) => ({ attemptId: id })),
      ),
  });
