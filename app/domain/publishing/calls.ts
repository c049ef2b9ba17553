import type { Db } from '#app/db/client.ts';
import type { Access } from '#app/domain/linkedin/connection.ts';
import { BEGIN_WITHIN_MS } from '#app/domain/queue/times.ts';
import { createPost, type PostOutcome } from '#app/integrations/linkedin-posts.ts';
import { keepAnswer } from './answers.ts';
import type { Publication } from './attempt.ts';
import type { Begun } from './together.ts';
import { noteVersions, tryVersions } from './versions.ts';

/**
 * The one call of an attempt, and what became of it written. `elapsed` since before the attempt was written.
 * Answers of what kind it is.
 */
export async function send(
  db: Db,
  publication: Publication,
  access: Access,
  elapsed: () => number,
): Promise<PostOutcome['kind']> {
  // A process that was stopped in between must not send: somebody may have given up on it.
  if (elapsed() > BEGIN_WITHIN_MS) {
    await keepAnswer(db, publication, { kind: 'not_sent', message: 'too slow', isOurs: true });
    return 'not_sent';
  }
  const { authorUrn, body: commentary, imageUrn, altText, visibility } = publication;
  const tried = await tryVersions(
    access,
    (caller) => createPost({ ...caller, authorUrn, commentary, imageUrn, altText, visibility }),
    () => elapsed() <= BEGIN_WITHIN_MS,
  );
  await keepAnswer(db, { ...publication, tokenSealed: access.tokenSealed }, tried.outcome);
  await noteVersions(db, tried, new Date());
  return tried.outcome.kind;
}

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
    return left();
  }

  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }
}
