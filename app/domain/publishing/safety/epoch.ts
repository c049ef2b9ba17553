import { hostname } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#app/db/client.ts';
import { databaseClock, databaseTime } from '#app/db/clock.ts';
import { releaseJobs } from '#app/domain/platform/jobs.ts';
import { clearFaults, reportFault } from '#app/domain/platform/operator-alerts.ts';
import { readWhole, writeWhole } from '#app/domain/publishing/outcome/durable-file.ts';
import {
  clocksAgree,
  type DatabaseIdentity,
  isReleasedHere,
  isSameDatabase,
} from '#app/domain/publishing/predicates.ts';
import { pullBack } from '#app/domain/publishing/state/schedule.ts';
import { env } from '#app/env.ts';
import { holdOpen } from './after-restore.ts';
import { GONE_BACK } from './clock-skew.ts';
import { nextUtcMidnight } from './pause.ts';

const FAULT = 'database-epoch';
const CHANGED =
  'The database is not the one we knew: a restored backup, a copy, or a server that took over. Nothing is published until you have looked at what would go out (npm run resume-publishing).';

const MEMORY_FAULT = 'epoch-memory';
const lost = (file: string) =>
  `What ${hostname()} last saw of the database cannot be read from ${file}, so a part of the database may be missing unnoticed. Nothing is published until you have looked at what would go out (npm run resume-publishing).`;

const fileOf = (server: string) => path.join(env().DATA_DIR, `epoch-${server}.json`);

/** How old what a process knows may be before it looks again. */
const LOOK_AFTER_MS = 30_000;

let identities: DatabaseIdentity | undefined;
let lookedAt = Number.NEGATIVE_INFINITY;

/** What this process, or one before it on this machine, last saw of the database. */
export async function readIdentity(db: Db): Promise<DatabaseIdentity> {
  identities ??= await recall(db);
  if (performance.now() - lookedAt > LOOK_AFTER_MS) {
    const seen = await db
      .selectFrom('publishingEpoch')
      .select(SEEN)
      .where(isSameDatabase(identities))
      .executeTakeFirst();
    if (seen) remember(seen);
  }
  return identities;
}

const SEEN = ['server', 'epoch', 'beat'] as const;

const nameOf = ({ server, epoch }: { server: string; epoch: string }) => `${server}@${epoch}`;

/** The database that this process has last seen, by name. Another name after each release. */
export const databaseSeen = (): string | undefined => identities && nameOf(identities);

/** The name of this database, and whether publishing is released for it, as far as it knows itself. */
export async function whichDatabase(db: Db): Promise<{ name: string; isReleased: boolean }> {
  const { isReleased, ...here } = await readHere(db);
  return { name: nameOf(here), isReleased };
}

const readHere = (db: Db) =>
  db
    .selectFrom('publishingEpoch')
    .select([sql<string>`publishing_server()`.as('server'), 'epoch', isReleasedHere.as('isReleased')])
    .executeTakeFirstOrThrow();

const digits = z.string().regex(/^\d{1,18}$/);
const Memory = z.object({ epoch: digits, beat: digits });
/** No beat reaches it: only a release goes past what is remembered with it. */
const UNREACHED = '9'.repeat(18);
/** Epochs are instants by the clock of a database; none is set by one that is off by more. */
const DAY_MS = 86_400_000;

/**
 * A memory that cannot be read has held what nobody knows any more: the database counts as one that lacks a
 * part of it until it is released once more, which is remembered in its place.
 */
async function recall(db: Db): Promise<DatabaseIdentity> {
  const { server, epoch } = await readHere(db);
  const file = fileOf(server);
  const memory = readWhole(file, Memory);
  if (memory === undefined) return { server, epoch: '0', beat: '0' };
  const latest = (await databaseTime(db)).getTime() + DAY_MS;
  if (memory !== 'unreadable' && Number(memory.epoch) < latest) return { server, ...memory };
  await reportFault(db, MEMORY_FAULT, lost(file));
  const unknown = { server, epoch, beat: UNREACHED };
  storeIdentity(unknown);
  return unknown;
}

function remember(seen: DatabaseIdentity): void {
  identities = seen;
  lookedAt = performance.now();
  storeIdentity(seen);
}

/** A process without a disk that lasts knows what it has seen itself. */
function storeIdentity({ server, epoch, beat }: DatabaseIdentity): void {
  try {
    writeWhole(fileOf(server), { epoch, beat });
  } catch {}
}

/**
 * Looks each minute whether this is still the database that we know, and lets its beat grow. When it is not,
 * the operator is told, and false is answered. The statements that permit a call ask for themselves. A clock of
 * the database that alone has jumped ahead is not remembered: set right again, it would seem to be set back.
 */
export async function beatEpoch(db: Db): Promise<boolean> {
  const last = await readIdentity(db);
  const seen = await db.connection().execute((connected) =>
    connected
      .updateTable('publishingEpoch')
      .set((eb) => ({
        beat: eb('beat', '+', '1'),
        beatAt: sql`case when ${clocksAgree()} then greatest(beat_at, clock_timestamp()) else beat_at end`,
        tickedAt: databaseClock,
      }))
      .where(isSameDatabase(last))
      .returning(SEEN)
      .executeTakeFirst(),
  );
  if (seen) remember(seen);
  else await stop(db);
  return seen !== undefined;
}

/** Also for processes that have no memory of what is missing, and would let the beat grow past it. */
async function stop(db: Db): Promise<void> {
  await db
    .updateTable('publishingEpoch')
    .set({ server: '', tickedAt: databaseClock })
    .where(({ not }) => not(isSameDatabase(identities!)))
    .execute();
  await reportFault(db, FAULT, CHANGED);
}

/** Whether the database is the one that publishing was last released for. */
export async function isReleased(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('publishingEpoch')
    .select(isSameDatabase(await readIdentity(db)).as('isSame'))
    .executeTakeFirst();
  return row?.isSame === true;
}

/**
 * The operator has looked: this database, as it is, is the one to publish from, and its clock is right. What was
 * under way is handed to its owners, since nobody knows how long ago it was sent; what a clock that was ahead has
 * put off goes on.
 */
export async function releaseEpoch(db: Db): Promise<void> {
  await holdOpen(db, await databaseTime(db));
  await goOn(db, await databaseTime(db));
  const now = sql<string>`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`;
  await db
    .updateTable('publishingEpoch')
    .set({
      server: sql`publishing_server()`,
      epoch: sql`greatest(epoch + 1, ${now})`,
      beat: '0',
      beatAt: databaseClock,
      doubtedUntil: null,
    })
    .execute();
  await clearFaults(db, FAULT, MEMORY_FAULT, GONE_BACK);
}

/**
 * Takes back what was put off while the database's clock was ahead: posts, jobs, and LinkedIn's daily limit, which ends at
 * the next midnight in UTC.
 */
async function goOn(db: Db, now: Date): Promise<void> {
  await pullBack(db, now);
  const latest = nextUtcMidnight(now);
  await db
    .updateTable('publishingPause')
    .set({ pausedUntil: latest })
    .where('pausedUntil', '>', latest)
    .execute();
  await releaseJobs(db);
}
