import type { Db } from '#app/db/client.ts';
import { send } from './publish.ts';
import type { Begun } from './together.ts';

/** Calls that one process has under way: at first, while LinkedIn does not answer, and at most. */
const CALLS = { first: 100, least: 20, most: 800 };

/**
 * Calls under way. Each that LinkedIn answers lets one more begin side by side, unless it asks us to wait; one that
 * it leaves open lets few: they all have to be confirmed.
 */
export class Calls {
  readonly errors: unknown[] = [];
  readonly #db: Db;
  readonly #running = new Set<Promise<void>>();
  #most = CALLS.first;
  #room: PromiseWithResolvers<void> | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  start({ publication, access }: Begun, elapsed: () => number): void {
    const call: Promise<void> = send(this.#db, publication, access, elapsed)
      .then((kind) => {
        if (kind === 'unknown') this.#most = CALLS.least;
        else if (kind !== 'throttled' && kind !== 'not_sent')
          this.#most = Math.min(this.#most + 1, CALLS.most);
      })
      .catch((error) => void this.errors.push(error))
      .then(() => {
        this.#running.delete(call);
        this.#room?.resolve();
      });
    this.#running.add(call);
  }

  /** How many more may begin, as soon as it is worth while. */
  async room(): Promise<number> {
    const left = () => this.#most - this.#running.size;
    while (left() < Math.min(this.#most / 4, CALLS.first)) {
      this.#room = Promise.withResolvers();
      await this.#room.promise;
    }
    return Math.floor(left());
  }

  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }
}
