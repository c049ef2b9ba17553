import type { Db } from '#app/db/client.ts';
import {
  clearFaults,
  clearFaultsUnseen,
  listFaultKeys,
  listOperatorFaults,
  reportFault,
} from '#app/domain/platform/operator-alerts.ts';
import { env } from '#app/env.ts';
import type { PostOutcome } from '#app/integrations/linkedin/posts.ts';

const VERSION_PREFIX = 'linkedin-version-';
const EVERY_VERSION_FAULT = 'linkedin-version';
const APP_LIMIT_FAULT = 'linkedin-app-limit';
const ORPHAN_PREFIX = 'orphan-';
/** The operator looks for a lost post outside of the application, so the fault ends after a time. */
const ORPHANS_SHOWN_MS = 7 * 86_400_000;

export const reportVersion = (db: Db, version: string, now = new Date()) =>
  reportFault(db, `${VERSION_PREFIX}${version}`, `LinkedIn refuses the API version ${version}.`, now);

export const reportEveryVersion = (db: Db, now: Date) =>
  reportFault(db, EVERY_VERSION_FAULT, 'LinkedIn refuses every version in LINKEDIN_VERSIONS.', now);

export const reportAppLimit = (db: Db, reason: string, now: Date) =>
  reportFault(db, APP_LIMIT_FAULT, reason, now);

/** Reports a post that LinkedIn accepted and that a restored database no longer has. */
export async function reportOrphan(
  db: Db,
  { id, authorUrn }: { id: string; authorUrn: string },
  outcome: PostOutcome,
) {
  if (outcome.kind !== 'published') return;
  const message = `LinkedIn has taken a post of ${authorUrn} that the database no longer has: ${outcome.urn ?? 'without an address'}.`;
  await reportFault(db, `${ORPHAN_PREFIX}${id}`, message);
}

export const clearOldOrphans = (db: Db) => clearFaultsUnseen(db, ORPHAN_PREFIX, ORPHANS_SHOWN_MS);

/** Returns the configured API versions, the preferred one first, with the time since when LinkedIn refuses them. */
export const presentVersions = (faults: { key: string; firstSeenAt: Date }[]) =>
  env().LINKEDIN_VERSIONS.map((version) => {
    const fault = faults.find(({ key }) => key === `${VERSION_PREFIX}${version}`);
    return { version, refusedSince: fault?.firstSeenAt ?? null };
  });

export const clearVersion = (db: Db, version: string) =>
  clearFaults(db, EVERY_VERSION_FAULT, `${VERSION_PREFIX}${version}`);

/** LinkedIn accepted a post, so it accepts this version of the API and the app's daily limit is not reached. */
export const clearByPublishing = (db: Db, version: string) =>
  clearFaults(db, EVERY_VERSION_FAULT, `${VERSION_PREFIX}${version}`, APP_LIMIT_FAULT);

/** Clears the fault of the app's daily limit, which ends at 00:00 UTC. */
export async function clearPastLimit(db: Db, now = new Date()): Promise<void> {
  const today = new Date(now).setUTCHours(0, 0, 0, 0);
  const limit = (await listOperatorFaults(db)).find(({ key }) => key === APP_LIMIT_FAULT);
  if (limit && limit.lastSeenAt.getTime() < today) await clearFaults(db, APP_LIMIT_FAULT);
}

export async function clearOldVersions(db: Db): Promise<void> {
  const old = (await listFaultKeys(db)).filter(
    (key) =>
      key.startsWith(VERSION_PREFIX) && !env().LINKEDIN_VERSIONS.includes(key.slice(VERSION_PREFIX.length)),
  );
  if (old.length > 0) await clearFaults(db, ...old);
}
