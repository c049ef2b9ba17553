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

const VERSION = 'linkedin-version-';
const EVERY_VERSION = 'linkedin-version';
const APP_LIMIT = 'linkedin-app-limit';
const ORPHAN = 'orphan-';
/** Only the operator can look for a lost post, and nothing tells us that they did. */
const ORPHANS_SHOWN_MS = 7 * 86_400_000;

export const reportVersion = (db: Db, version: string, now = new Date()) =>
  reportFault(db, `${VERSION}${version}`, `LinkedIn refuses the API version ${version}.`, now);

export const reportEveryVersion = (db: Db, now: Date) =>
  reportFault(db, EVERY_VERSION, 'LinkedIn refuses every version in LINKEDIN_VERSIONS.', now);

export const reportAppLimit = (db: Db, reason: string, now: Date) => reportFault(db, APP_LIMIT, reason, now);

/** A post is on LinkedIn that the database lost before its answer came: nobody but the operator can look for it. */
export async function reportOrphan(
  db: Db,
  { id, authorUrn }: { id: string; authorUrn: string },
  outcome: PostOutcome,
) {
  if (outcome.kind !== 'published') return;
  const message = `LinkedIn has taken a post of ${authorUrn} that the database no longer has: ${outcome.urn ?? 'without an address'}.`;
  await reportFault(db, `${ORPHAN}${id}`, message);
}

export const clearOldOrphans = (db: Db) => clearFaultsUnseen(db, ORPHAN, ORPHANS_SHOWN_MS);

/** The versions that Tidepost speaks, the preferred one first, and since when LinkedIn refuses one. */
export const versionsBy = (faults: { key: string; firstSeenAt: Date }[]) =>
  env().LINKEDIN_VERSIONS.map((version) => {
    const fault = faults.find(({ key }) => key === `${VERSION}${version}`);
    return { version, refusedSince: fault?.firstSeenAt ?? null };
  });

/** LinkedIn takes this version of the API. */
export const clearVersion = (db: Db, version: string) =>
  clearFaults(db, EVERY_VERSION, `${VERSION}${version}`);

/** LinkedIn has taken a post: it takes this version of the API, and the daily limit of the app is not reached. */
export const clearByPublishing = (db: Db, version: string) =>
  clearFaults(db, EVERY_VERSION, `${VERSION}${version}`, APP_LIMIT);

/** LinkedIn's daily limits start anew at 00:00 UTC; a limit that is reached again is reported again. */
export async function clearPastLimit(db: Db, now = new Date()): Promise<void> {
  const today = new Date(now).setUTCHours(0, 0, 0, 0);
  const limit = (await listOperatorFaults(db)).find(({ key }) => key === APP_LIMIT);
  if (limit && limit.lastSeenAt.getTime() < today) await clearFaults(db, APP_LIMIT);
}

/** A version that is no longer configured is nobody's fault any more. */
export async function clearOldVersions(db: Db): Promise<void> {
  const old = (await listFaultKeys(db)).filter(
    (key) => key.startsWith(VERSION) && !env().LINKEDIN_VERSIONS.includes(key.slice(VERSION.length)),
  );
  if (old.length > 0) await clearFaults(db, ...old);
}
