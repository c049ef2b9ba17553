import { hostname } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#app/db/client.ts';
import { databaseClock, databaseTime } from '#app/db/clock.ts';
import { releaseJobs } from '#app/domain/platform/jobs.ts';
import { clearFaults, reportFault } from '#app/domain/platform/operator-alerts.ts';
import { readDurableFile, writeDurableFile } from '#app/domain/publishing/outcome/durable-file.ts';
import {
  clocksAgree,
  type DatabaseIdentity,
  isReleasedHere,
  isSameDatabase,
} from '#app/domain/publishing/predicates.ts';
import { undoClockAhead } from '#app/domain/publishing/state/schedule.ts';
import { env } from '#app/env.ts';
import { holdOpenAttempts } from './after-restore.ts';
import { CLOCK_SET_BACK_FAULT } from './clock-skew.ts';
import { nextUtcMidnight } from './pause.ts';

const FAULT = 'database-epoch';
const CHANGED =
  'The database is not the one we knew: a restored backup, a copy, or a server that took over. Nothing is published until you have looked at what would go out (npm run resume-publishing).';

const MEMORY_FAULT = 'epoch-memory';
const memoryUnreadable = (file: string) =>
  `What ${hostname()} last saw of the database cannot be read from ${file}, so a part of the database may be missing unnoticed. Nothing is published until you have looked at what would go out (npm run resume-publishing).`;

const fileOf = (server: string) => path.join(env().DATA_DIR, `epoch-${server}.json`);

const REREAD_AFTER_MS = 30_000;

let lastSeen: DatabaseIdentity | undefined;
let readAt = Number.NEGATIVE_INFINITY;

/** Returns the database as this process, or an earlier one on this machine, last saw it. */
export async function readIdentity(db: Db): Promise<DatabaseIdentity> {
  lastSeen ??= await readMemory(db);
  if (performance.now() - readAt > REREAD_AFTER_MS) {
    const current = await db
      .selectFrom('publishingEpoch')
      .select(IDENTITY_COLUMNS)
      .where(isSameDatabase(lastSeen))
      .executeTakeFirst();
    if (current) remember(current);
  }
  return lastSeen;
}

const IDENTITY_COLUMNS = ['server', 'epoch', 'beat'] as const;

const nameOf = ({ server, epoch }: { server: string; epoch: string }) => `${server}@${epoch}`;

/** Returns the name of the database that this process last saw. A release changes the name. */
export const lastSeenDatabase = (): string | undefined => lastSeen && nameOf(lastSeen);

/** Returns the name of the database and whether publishing is released for it, by its own record. */
export async function readDatabaseName(db: Db): Promise<{ name: string; isReleased: boolean }> {
  const { isReleased, ...current } = await readCurrent(db);
  return { name: nameOf(current), isReleased };
}

const readCurrent = (db: Db) =>
  db
    .selectFrom('publishingEpoch')
    .select([sql<string>`publishing_server()`.as('server'), 'epoch', isReleasedHere.as('isReleased')])
    .executeTakeFirstOrThrow();

const digits = z.string().regex(/^\d{1,18}$/);
const Memory = z.object({ epoch: digits, beat: digits });
/** Higher than any beat, so that only a release, with a new epoch, makes the database known again. */
const UNREACHABLE_BEAT = '9'.repeat(18);
/** Epochs are timestamps of a database; a memory with one from the future is not valid. */
const DAY_MS = 86_400_000;

/**
 * Reads what an earlier process on this machine stored. When the file cannot be read, the database counts as incomplete
 * until it is released again.
 */
async function readMemory(db: Db): Promise<DatabaseIdentity> {
  const { server, epoch } = await readCurrent(db);
  const file = fileOf(server);
  const memory = readDurableFile(file, Memory);
  if (memory === undefined) return { server, epoch: '0', beat: '0' };
  const latest = (await databaseTime(db)).getTime() + DAY_MS;
  if (memory !== 'unreadable' && Number(memory.epoch) < latest) return { server, ...memory };
  await reportFault(db, MEMORY_FAULT, memoryUnreadable(file));
  const unknown = { server, epoch, beat: UNREACHABLE_BEAT };
  storeIdentity(unknown);
  return unknown;
}

function remember(identity: DatabaseIdentity): void {
  lastSeen = identity;
  readAt = performance.now();
  storeIdentity(identity);
}

/** Without a writable disk a process only knows what it has seen itself. */
function storeIdentity({ server, epoch, beat }: DatabaseIdentity): void {
  try {
    writeDurableFile(fileOf(server), { epoch, beat });
  } catch {}
}

/**
 * Increments the beat of the database, each minute. Returns false, and reports it to the operator, when this is not the
 * database that was last seen; the statements that permit a call check that themselves. The time of the beat is not
 * stored when the database's clock alone has jumped ahead: corrected, it would seem to be set back.
 */
export async function beatEpoch(db: Db): Promise<boolean> {
  const identity = await readIdentity(db);
  const current = await db.connection().execute((connected) =>
    connected
      .updateTable('publishingEpoch')
      .set((eb) => ({
        beat: eb('beat', '+', '1'),
        beatAt: sql`case when ${clocksAgree()} then greatest(beat_at, clock_timestamp()) else beat_at end`,
        tickedAt: databaseClock,
      }))
      .where(isSameDatabase(identity))
      .returning(IDENTITY_COLUMNS)
      .executeTakeFirst(),
  );
  if (current) remember(current);
  else await revokeRelease(db);
  return current !== undefined;
}

/** Also stops processes without a memory, which would increment the beat past the missing part. */
async function revokeRelease(db: Db): Promise<void> {
  await db
    .updateTable('publishingEpoch')
    .set({ server: '', tickedAt: databaseClock })
    .where(({ not }) => not(isSameDatabase(lastSeen!)))
    .execute();
  await reportFault(db, FAULT, CHANGED);
}

/** Returns whether publishing is released for this database and nothing that this machine has seen is missing. */
export async function isKnownDatabase(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('publishingEpoch')
    .select(isSameDatabase(await readIdentity(db)).as('isSame'))
    .executeTakeFirst();
  return row?.isSame === true;
}

/**
 * Releases publishing for this database, on the operator's command. Hands open attempts to their users, because their age
 * is not known, and undoes what was postponed while the clock was ahead.
 */
export async function releaseEpoch(db: Db): Promise<void> {
  await holdOpenAttempts(db, await databaseTime(db));
  await undoPostponements(db, await databaseTime(db));
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
  await clearFaults(db, FAULT, MEMORY_FAULT, CLOCK_SET_BACK_FAULT);
}

/** Corrects posts, jobs and the end of LinkedIn's daily limit that were written while the database's clock was ahead. */
async function undoPostponements(db: Db, now: Date): Promise<void> {
  await undoClockAhead(db, now);
  const latest = nextUtcMidnight(now);
  await db
    .updateTable('publishingPause')
    .set({ pausedUntil: latest })
    .where('pausedUntil', '>', latest)
    .execute();
  await releaseJobs(db);
}
