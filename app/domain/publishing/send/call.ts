import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '#app/db/client.ts';
import type { Access } from '#app/domain/linkedin/connection.ts';
import { microBatch } from '#app/domain/platform/micro-batch.ts';
import { CALL_WITHIN_MS } from '#app/domain/publishing/eligibility/timings.ts';
import {
  clearByPublishing,
  clearVersion,
  reportEveryVersion,
  reportVersion,
} from '#app/domain/publishing/linkedin-alerts.ts';
import { spoolResponse } from '#app/domain/publishing/outcome/spool.ts';
import { env } from '#app/env.ts';
import { TOKEN_PROPAGATION_MS } from '#app/integrations/linkedin/oauth.ts';
import { createPost, type PostOutcome } from '#app/integrations/linkedin/posts.ts';
import type { Attempt, StartedAttempt } from './attempt.ts';

type Caller = { accessToken: string; version: string };

export type VersionedCall<T> = {
  outcome: T;
  /** The API version of the call that had this outcome. */
  version: string;
  refused: string[];
};

/**
 * Calls LinkedIn with the first version in LINKEDIN_VERSIONS that it accepts. Calls again only after a definite refusal:
 * of a version, or, once, of a token that is seconds old. `call` must be safe to repeat then. `mayCall` returns whether
 * there is still time to start a call.
 */
export async function tryVersions<T extends { kind: string }>(
  access: Access,
  call: (caller: Caller) => Promise<T>,
  mayCall: () => boolean = () => true,
): Promise<VersionedCall<T>> {
  const refused: string[] = [];
  let mayRetryToken = access.isFresh;
  for (const version of env().LINKEDIN_VERSIONS) {
    const caller = { accessToken: access.token, version };
    let outcome = await call(caller);
    if (outcome.kind === 'unauthorized' && mayRetryToken) {
      mayRetryToken = false;
      await wait(TOKEN_PROPAGATION_MS);
      if (mayCall()) outcome = await call(caller);
    }
    if (outcome.kind === 'version') refused.push(version);
    const isLast = refused.length === env().LINKEDIN_VERSIONS.length;
    if (outcome.kind !== 'version' || isLast || !mayCall()) return { outcome, version, refused };
  }
  throw new Error('LINKEDIN_VERSIONS is empty');
}

/** Reports the API versions that LinkedIn refused to the operator, and clears the faults that a success disproves. */
export async function recordVersions(
  db: Db,
  { outcome, version, refused }: VersionedCall<{ kind: string }>,
  now: Date,
): Promise<void> {
  for (const each of refused) await reportVersion(db, each, now);
  if (refused.length === env().LINKEDIN_VERSIONS.length) await reportEveryVersion(db, now);
  if (outcome.kind === 'published') await clearFaultsInBatch(db, version);
  if (outcome.kind === 'uploaded' || outcome.kind === 'deleted') await clearVersion(db, version);
}

const clearFaultsInBatch = microBatch(async (db, versions: string[]) => {
  for (const version of new Set(versions)) await clearByPublishing(db, version);
  return versions.map(() => Promise.resolve());
});

/**
 * Makes the one call of an attempt and writes its response. `elapsed` returns the milliseconds since before the attempt
 * was written. Returns the kind of the response.
 */
export async function sendAttempt(
  db: Db,
  attempt: Attempt,
  access: Access,
  elapsed: () => number,
): Promise<PostOutcome['kind']> {
  // A process that was suspended in between must not send: its attempt may count as abandoned.
  if (elapsed() > CALL_WITHIN_MS) {
    await spoolResponse(db, attempt, { kind: 'not_sent', message: 'too slow', isOurs: true });
    return 'not_sent';
  }
  const { authorUrn, body: commentary, imageUrn, altText, visibility } = attempt;
  const tried = await tryVersions(
    access,
    (caller) => createPost({ ...caller, authorUrn, commentary, imageUrn, altText, visibility }),
    () => elapsed() <= CALL_WITHIN_MS,
  );
  await spoolResponse(db, { ...attempt, tokenSealed: access.tokenSealed }, tried.outcome);
  await recordVersions(db, tried, new Date());
  return tried.outcome.kind;
}

const CALLS = { initial: 100, min: 20, max: 800 };
/** A call that started this long before an answered one is slow, and does not count against the limit. */
const SLOW_MS = 3_000;
/** Without capacity for this long, one call starts all the same: its response shows whether only the others are slow. */
const PROBE_MS = 1_000;

/**
 * The calls in progress of one process, with an adaptive limit. Each response raises the limit by one, unless LinkedIn
 * asks us to wait. Each call without a clear response, which has to be confirmed, lowers it by a quarter.
 */
export class CallPool {
  readonly errors: unknown[] = [];
  readonly #db: Db;
  readonly #running = new Map<Promise<void>, number>();
  #limit = CALLS.initial;
  /** The latest start among the calls that LinkedIn has answered. */
  #answeredStart = Number.NEGATIVE_INFINITY;
  #changed: PromiseWithResolvers<void> | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  start({ attempt, access }: StartedAttempt, elapsed: () => number): void {
    const startedAt = performance.now();
    const call: Promise<void> = sendAttempt(this.#db, attempt, access, elapsed)
      .then((kind) => this.#adjustLimit(kind, startedAt))
      .catch((error) => void this.errors.push(error))
      .then(() => {
        this.#running.delete(call);
        this.#changed?.resolve();
      });
    this.#running.set(call, startedAt);
  }

  #adjustLimit(kind: PostOutcome['kind'], startedAt: number): void {
    if (kind === 'not_sent') return;
    if (kind === 'unknown') this.#limit = Math.max(CALLS.min, Math.floor(this.#limit * 0.75));
    else this.#answeredStart = Math.max(this.#answeredStart, startedAt);
    if (kind !== 'unknown' && kind !== 'throttled') this.#limit = Math.min(this.#limit + 1, CALLS.max);
  }

  #capacity(): number {
    const slowSince = this.#answeredStart - SLOW_MS;
    const slow = [...this.#running.values()].filter((startedAt) => startedAt < slowSince).length;
    return Math.min(this.#limit + slow, CALLS.max) - this.#running.size;
  }

  /** Waits until a batch of calls can start, and returns how many. */
  async waitForCapacity(): Promise<number> {
    let hasTimedOut = false;
    const timer = setTimeout(() => {
      hasTimedOut = true;
      this.#changed?.resolve();
    }, PROBE_MS);
    const mayProbe = () => hasTimedOut && this.#running.size < CALLS.max;
    while (this.#capacity() < Math.min(this.#limit / 4, CALLS.initial) && !mayProbe()) {
      this.#changed = Promise.withResolvers();
      await this.#changed.promise;
    }
    clearTimeout(timer);
    return Math.max(this.#capacity(), 1);
  }

  async drain(): Promise<void> {
    await Promise.all(this.#running.keys());
  }
}
