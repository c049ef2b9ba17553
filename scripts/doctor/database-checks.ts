import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { clockOffset, databaseTime } from '#app/db/clock.ts';
import { pendingMigrations } from '#app/db/migrate.ts';
import { ticks } from '#app/domain/platform/jobs.ts';
import { listOperatorFaults } from '#app/domain/platform/operator-alerts.ts';
import { hasStopped, listTickTimes } from '#app/domain/platform/tick-times.ts';
import { CLOCK_WITHIN_MS } from '#app/domain/publishing/predicates.ts';
import { isKnownDatabase } from '#app/domain/publishing/safety/epoch.ts';
import { findHeartbeat } from '#app/domain/publishing/safety/heartbeat.ts';
import { findPauses, type Pause } from '#app/domain/publishing/safety/pause.ts';
import { knowsLetters, NEW_DATABASE, NO_LETTERS } from './letters.ts';
import { type Check, Fault } from './look.ts';

const OLDEST_POSTGRES = 15;
const MINUTE = 60_000;

async function version(db: Db): Promise<string> {
  const { rows } = await sql<{ number: number; words: string }>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as words`.execute(
    db,
  );
  const { number, words } = rows[0]!;
  if (number < OLDEST_POSTGRES * 10_000) {
    throw new Fault(`It is version ${words}`, `Move the data to PostgreSQL ${OLDEST_POSTGRES} or newer.`);
  }
  return `version ${words}`;
}

async function letters(db: Db): Promise<string> {
  if (await knowsLetters(db)) return 'those of every language are known';
  throw new Fault(NO_LETTERS, NEW_DATABASE);
}

async function migrations(db: Db): Promise<string> {
  const pending = await pendingMigrations(db);
  if (pending.length > 0)
    throw new Fault(`These have not run: ${pending.join(', ')}`, 'Run `npm run migrate`.');
  return 'all have run';
}

async function clock(db: Db): Promise<string> {
  const ahead = await clockOffset(db);
  const words = `${Math.abs(ahead / 1000).toFixed(1)} s ${ahead > 0 ? 'ahead of' : 'behind'} the database's clock`;
  if (Math.abs(ahead) <= CLOCK_WITHIN_MS) return words;
  const cure = 'Set both clocks by NTP (timedatectl set-ntp true); the worker goes on by itself then.';
  throw new Fault(`This machine's clock is ${words}`, cure);
}

async function lastTicks(db: Db): Promise<string> {
  const [known, now] = await Promise.all([listTickTimes(db), databaseTime(db)]);
  const times = new Map(known.map((time) => [time.name, time]));
  const late = Object.values(ticks).flatMap(({ name, timetable }) => {
    const time = times.get(name);
    if (!time) return [`${name} has never run`];
    const last = time.lastAt ?? time.knownSince;
    const age = now.getTime() - last.getTime();
    if (age < -CLOCK_WITHIN_MS) return [`${name} last ran ${Math.round(-age / MINUTE)} minutes from now`];
    if (!hasStopped(timetable, last, now)) return [];
    return [
      time.lastAt ? `${name} last ran ${Math.round(age / MINUTE)} minutes ago` : `${name} has never run`,
    ];
  });
  if (late.length > 0) {
    throw new Fault(
      late.join(', '),
      'Start the worker (`npm run worker`), with every lane and a clock that is right, and look at its log.',
    );
  }
  return 'each ran when it was due';
}

/** Whether a worker has made itself known for the first time so short ago that none of its ticks may have come yet. */
async function isJustBegun(db: Db): Promise<boolean> {
  const [known, now] = await Promise.all([listTickTimes(db), databaseTime(db)]);
  return known.some(({ knownSince }) => now.getTime() - knownSince.getTime() < 2 * MINUTE);
}

async function heartbeat(db: Db): Promise<string> {
  const { tickedAt, isTicking } = await findHeartbeat(db);
  if (!tickedAt && (await isJustBegun(db))) return 'the worker has just begun, and ticks within a minute';
  if (isTicking) return `the worker was heard of at ${tickedAt!.toISOString()}`;
  const said = tickedAt ? `was last heard of at ${tickedAt.toISOString()}` : 'has never been heard of';
  throw new Fault(`The worker ${said}`, 'Start it (`npm run worker`) and look at its log.');
}

async function publishing(db: Db): Promise<string> {
  if (await isKnownDatabase(db)) return 'is released for this database';
  throw new Fault(
    'This database was restored or copied, or another server took over. Nothing is published',
    'Run `npm run resume-publishing` and look at what would go out.',
  );
}

type Passing = Exclude<Pause['by'], 'release'>;
const STOPPED: Record<Passing, { who: string; cure: string }> = {
  admin: { who: 'an admin', cure: 'Resume it on the admin page when that is mended.' },
  linkedin: { who: "LinkedIn's daily limit", cure: 'It goes on by itself then.' },
  clock: {
    who: 'the clock of the database',
    cure: 'Keep that clock set by NTP. If it was ahead and is right now, run `npm run resume-publishing`; if it is behind, set it right.',
  },
};

/** What stops publishing for everybody beside a release that is missing, which has a line of its own. */
async function pause(db: Db): Promise<string> {
  const pauses = await findPauses(db, await databaseTime(db));
  const found = pauses.find((each): each is Pause & { by: Passing } => each.by !== 'release');
  if (!found) return 'publishing is not paused';
  const { by, reason, since, until } = found;
  const from = since ? ` since ${since.toISOString()}` : '';
  throw new Fault(
    `Publishing is paused by ${STOPPED[by].who}${from}${until ? ` until ${until.toISOString()}` : ''}: ${reason}`,
    STOPPED[by].cure,
  );
}

async function faults(db: Db): Promise<string> {
  const rows = await listOperatorFaults(db);
  if (rows.length > 0) {
    throw new Fault(
      rows.map(({ message }) => message).join(' '),
      'Mend what it names; it goes by itself then.',
    );
  }
  return 'none is reported';
}

/** What can be seen in the database and of it. */
export const databaseChecks = (db: Db): Check[] =>
  [
    { name: 'postgres', cure: 'Check DATABASE_URL.', look: version },
    { name: 'migrations', cure: 'Run `npm run migrate`.', look: migrations },
    { name: 'letters', cure: 'Run `npm run migrate`.', look: letters },
    { name: 'clock', cure: 'Set the clock of this machine.', look: clock },
    { name: 'ticks', cure: 'Run `npm run migrate`, then start the worker.', look: lastTicks },
    { name: 'heartbeat', cure: 'Run `npm run migrate`.', look: heartbeat },
    { name: 'publishing', cure: 'Run `npm run migrate`.', look: publishing },
    { name: 'pause', cure: 'Run `npm run migrate`.', look: pause },
    { name: 'faults', cure: 'Run `npm run migrate`.', look: faults },
  ].map((check) => ({ ...check, look: () => check.look(db) }));
