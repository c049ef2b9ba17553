import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { databaseClock } from '#app/db/clock.ts';
import { clearFaults, reportFault } from '#app/domain/operator-faults.ts';
import { env } from '#app/env.ts';
import { isReleasedHere, isSameDatabase, type Known } from './facts.ts';

const FAULT = 'database-epoch';
const CHANGED =
  'The database is not the one we knew: a restored backup, a copy, or a server that took over. Nothing is published until you have looked at what would go out (npm run resume-publishing).';

const fileOf = (server: string) => path.join(env().DATA_DIR, `epoch-${server}.json`);

/** How old what a process knows may be before it looks again. */
const LOOK_AFTER_MS = 30_000;

let known: Known | undefined;
let lookedAt = 0;

/** What this process, or one before it on this machine, last saw of the database. */
export async function knownEpoch(db: Db): Promise<Known> {
  known ??= await recall(db);
  if (performance.now() - lookedAt > LOOK_AFTER_MS) {
    const seen = await db
      .selectFrom('publishingEpoch')
      .select(SEEN)
      .where(isSameDatabase(known))
      .executeTakeFirst();
    if (seen) remember(seen);
  }
  return known;
}

const SEEN = ['server', 'epoch', 'beat'] as const;

const nameOf = ({ server, epoch }: { server: string; epoch: string }) => `${server}@${epoch}`;

/** The database that this process has last seen, by name. Another name after each release. */
export const databaseSeen = (): string | undefined => known && nameOf(known);

/** The name of this database, and whether publishing is released for it, as far as it knows itself. */
export async function whichDatabase(db: Db): Promise<{ name: string; isReleased: boolean }> {
  const { server, epoch, isReleased } = await db
    .selectFrom('publishingEpoch')
    .select([sql<string>`publishing_server()`.as('server'), 'epoch', isReleasedHere.as('isReleased')])
    .executeTakeFirstOrThrow();
  return { name: nameOf({ server, epoch }), isReleased };
}

async function recall(db: Db): Promise<Known> {
  const { rows } = await sql<{ server: string }>`select publishing_server() as server`.execute(db);
  const { server } = rows[0]!;
  try {
    return { server, ...(JSON.parse(readFileSync(fileOf(server), 'utf8')) as Omit<Known, 'server'>) };
  } catch {
    return { server, epoch: '0', beat: '0' };
  }
}

/** A process without a disk that lasts knows what it has seen itself. */
function remember(seen: Known): void {
  known = seen;
  lookedAt = performance.now();
  try {
    mkdirSync(env().DATA_DIR, { recursive: true });
    writeFileSync(fileOf(seen.server), JSON.stringify({ epoch: seen.epoch, beat: seen.beat }));
  } catch {}
}

/**
 * Looks each minute whether this is still the database that we know, and lets its beat grow. When it is not,
 * the operator is told, and false is answered. The statements that permit a call ask for themselves.
 */
export async function beatEpoch(db: Db): Promise<boolean> {
  const seen = await db
    .updateTable('publishingEpoch')
    .set((eb) => ({ beat: eb('beat', '+', '1'), beatAt: sql`greatest(beat_at, clock_timestamp())` }))
    .where(isSameDatabase(await knownEpoch(db)))
    .returning(SEEN)
    .executeTakeFirst();
  if (seen) remember(seen);
  else await stop(db);
  return seen !== undefined;
}

/** Also for processes that have no memory of what is missing, and would let the beat grow past it. */
async function stop(db: Db): Promise<void> {
  await db
    .updateTable('publishingEpoch')
    .set({ server: '' })
    .where(({ not }) => not(isSameDatabase(known!)))
    .execute();
  await reportFault(db, FAULT, CHANGED);
}

/** Whether the database is the one that publishing was last released for. */
export async function isReleased(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('publishingEpoch')
    .select(isSameDatabase(await knownEpoch(db)).as('isSame'))
    .executeTakeFirst();
  return row?.isSame === true;
}

/** The operator has looked: this database, as it is, is the one to publish from. */
export async function releaseEpoch(db: Db): Promise<void> {
  const now = sql<string>`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`;
  await db
    .updateTable('publishingEpoch')
    .set({
      server: sql`publishing_server()`,
      epoch: sql`greatest(epoch + 1, ${now})`,
      beat: '0',
      beatAt: databaseClock,
    })
    .execute();
  await clearFaults(db, FAULT);
}
