import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '#app/db/client.ts';
import type { Access } from '#app/domain/linkedin/connection.ts';
import { microBatch } from '#app/domain/platform/micro-batch.ts';
import {
  clearByPublishing,
  clearVersion,
  reportEveryVersion,
  reportVersion,
} from '#app/domain/publishing/faults.ts';
import { env } from '#app/env.ts';
import { TOKEN_PROPAGATION_MS } from '#app/integrations/linkedin/oauth.ts';

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
