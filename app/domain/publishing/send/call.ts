import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '#app/db/client.ts';
import type { Access } from '#app/domain/linkedin/connection.ts';
import { microBatch } from '#app/domain/platform/micro-batch.ts';
import { BEGIN_WITHIN_MS } from '#app/domain/publishing/eligibility/timings.ts';
import {
  clearByPublishing,
  clearVersion,
  reportEveryVersion,
  reportVersion,
} from '#app/domain/publishing/faults.ts';
import { spoolResponse } from '#app/domain/publishing/outcome/spool.ts';
import { env } from '#app/env.ts';
import { TOKEN_PROPAGATION_MS } from '#app/integrations/linkedin/oauth.ts';
import { createPost, type PostOutcome } from '#app/integrations/linkedin/posts.ts';
import type { Attempt, StartedAttempt } from './attempt.ts';

type Caller = { accessToken: string; version: string };

export type Tried<T> = {
  outcome: T;
  /** The version that the outcome answers to. */
  version: string;
  /** The versions that LinkedIn does not take. */
  refused: string[];
};

/**
 * A call to LinkedIn with the newest version of its API that it takes. What is called must be safe to call
 * again after a definite no: that is all that is followed by another call here, a refused version and, once,
 * a refused token that is seconds old. `mayCall` says whether there is still time to begin one.
 */
export async function tryVersions<T extends { kind: string }>(
  access: Access,
  call: (caller: Caller) => Promise<T>,
  mayCall: () => boolean = () => true,
): Promise<Tried<T>> {
  const refused: string[] = [];
  let mayBeEarly = access.isFresh;
  for (const version of env().LINKEDIN_VERSIONS) {
    const caller = { accessToken: access.token, version };
    let outcome = await call(caller);
    if (outcome.kind === 'unauthorized' && mayBeEarly) {
      mayBeEarly = false;
      await wait(TOKEN_PROPAGATION_MS);
      if (mayCall()) outcome = await call(caller);
    }
    if (outcome.kind === 'version') refused.push(version);
    const isLast = refused.length === env().LINKEDIN_VERSIONS.length;
    if (outcome.kind !== 'version' || isLast || !mayCall()) return { outcome, version, refused };
  }
  throw new Error('LINKEDIN_VERSIONS is empty');
}

/** Tells the operator which versions LinkedIn refuses, and takes back what a success shows to be mended. */
export async function noteVersions(db: Db, tried: Tried<{ kind: string }>, now: Date): Promise<void> {
  const { outcome, version, refused } = tried;
  for (const each of refused) await reportVersion(db, each, now);
  if (refused.length === env().LINKEDIN_VERSIONS.length) await reportEveryVersion(db, now);
  if (outcome.kind === 'published') await clearTogether(db, version);
  if (outcome.kind === 'uploaded' || outcome.kind === 'deleted') await clearVersion(db, version);
}

const clearTogether = microBatch(async (db, versions: string[]) => {
  for (const version of new Set(versions)) await clearByPublishing(db, version);
  return versions.map(() => Promise.resolve());
});

/**
 * The one call of an attempt, and what became of it written. `elapsed` since before the attempt was written.
 * Answers of what kind it is.
 */
export async function send(
  db: Db,
  attempt: Attempt,
  access: Access,
  elapsed: () => number,
): Promise<PostOutcome['kind']> {
  // A process that was stopped in between must not send: somebody may have given up on it.
  if (elapsed() > BEGIN_WITHIN_MS) {
    await spoolResponse(db, attempt, { kind: 'not_sent', message: 'too slow', isOurs: true });
    return 'not_sent';
  }
  const { authorUrn, body: commentary, imageUrn, altText, visibility } = attempt;
  const tried = await tryVersions(
    access,
    (caller) => createPost({ ...caller, authorUrn, commentary, imageUrn, altText, visibility }),
    () => elapsed() <= BEGIN_WITHIN_MS,
  );
  await spoolResponse(db, { ...attempt, tokenSealed: access.tokenSealed }, tried.outcome);
  await noteVersions(db, tried, new Date());
  return tried.outcome.kind;
}

/** Calls that one process has under way: at first, while LinkedIn leaves calls open, and at most. */
const CALLS = { first: 100, least: 20, most: 800 };
/** A call that began so long before one that LinkedIn has answered is slow by itself, and keeps nobody's place. */
const SLOW_MS = 3_000;
/** Where there is no room for so long one call begins all the same: its answer tells whether only the others are slow. */
const PROBE_MS = 1_000;

/**
 * Calls under way. Each that LinkedIn answers lets one more begin side by side, unless it asks us to wait; each that
 * it leaves open lets a quarter less: it has to be confirmed. Those that hang while others are answered do not count.
 */
export class Calls {
  readonly errors: unknown[] = [];
  readonly #db: Db;
  /** With the instant at which each began. */
  readonly #running = new Map<Promise<void>, number>();
  #most = CALLS.first;
  /** When the last one began of those that LinkedIn has answered. */
  #answeredAt = Number.NEGATIVE_INFINITY;
  #room: PromiseWithResolvers<void> | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  start({ attempt, access }: StartedAttempt, elapsed: () => number): void {
    const begunAt = performance.now();
    const call: Promise<void> = send(this.#db, attempt, access, elapsed)
      .then((kind) => this.#learn(kind, begunAt))
      .catch((error) => void this.errors.push(error))
      .then(() => {
        this.#running.delete(call);
        this.#room?.resolve();
      });
    this.#running.set(call, begunAt);
  }

  #learn(kind: PostOutcome['kind'], begunAt: number): void {
    if (kind === 'not_sent') return;
    if (kind === 'unknown') this.#most = Math.max(CALLS.least, Math.floor(this.#most * 0.75));
    else this.#answeredAt = Math.max(this.#answeredAt, begunAt);
    if (kind !== 'unknown' && kind !== 'throttled') this.#most = Math.min(this.#most + 1, CALLS.most);
  }

  #left(): number {
    const slow = [...this.#running.values()].filter((begunAt) => begunAt < this.#answeredAt - SLOW_MS).length;
    return Math.min(this.#most + slow, CALLS.most) - this.#running.size;
  }

  /** How many more may begin, as soon as it is worth while. */
  async room(): Promise<number> {
    let isLong = false;
    const timer = setTimeout(() => {
      isLong = true;
      this.#room?.resolve();
    }, PROBE_MS);
    const isProbed = () => isLong && this.#running.size < CALLS.most;
    while (this.#left() < Math.min(this.#most / 4, CALLS.first) && !isProbed()) {
      this.#room = Promise.withResolvers();
      await this.#room.promise;
    }
    clearTimeout(timer);
    return Math.max(this.#left(), 1);
  }

  async ended(): Promise<void> {
    await Promise.all(this.#running.keys());
  }
}
