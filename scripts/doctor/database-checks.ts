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
import { comparesAllScripts, NEW_DATABASE, NO_LETTERS } from './letters.ts';
import { type Check, CheckFailure } from './look.ts';

const OLDEST_POSTGRES = 15;
const MINUTE = 60_000;

async function version(db: Db): Promise<string> {
  const { rows } = await sql<{ number: number; text: string }>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as text`.execute(
    db,
  );
  const { number, text } = rows[0]!;
  if (number < OLDEST_POSTGRES * 10_000) {
    throw new CheckFailure(
      `It is version ${text}`,
      `Move the data to PostgreSQL ${OLDEST_POSTGRES} or newer.`,
    );
  }
  return `version ${text}`;
}

async function letters(db: Db): Promise<string> {
  if (await comparesAllScripts(db)) return 'those of every language are known';
  throw new CheckFailure(NO_LETTERS, NEW_DATABASE);
}

async function migrations(db: Db): Promise<string> {
  const pending = await pendingMigrations(db);
  if (pending.length > 0)
    throw new CheckFailure(`These have not run: ${pending.join(', ')}`, 'Run `npm run migrate`.');
  return 'all have run';
}

async function clock(db: Db): Promise<string> {
  const ahead = await clockOffset(db);
  const offset = `${Math.abs(ahead / 1000).toFixed(1)} s ${ahead > 0 ? 'ahead of' : 'behind'} the database's clock`;
  if (Math.abs(ahead) <= CLOCK_WITHIN_MS) return offset;
  const fix = 'Set both clocks by NTP (timedatectl set-ntp true); the worker goes on by itself then.';
  throw new CheckFailure(`This machine's clock is ${offset}`, fix);
}

async function lastTicks(db: Db): Promise<string> {
  const [tickTimes, now] = await Promise.all([listTickTimes(db), databaseTime(db)]);
  const times = new Map(tickTimes.map((time) => [time.name, time]));
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
    throw new CheckFailure(
      late.join(', '),
      'Start the worker (`npm run worker`), with every lane and a clock that is right, and look at its log.',
    );
  }
  return 'each ran when it was due';
}

/** Whether a worker was first started so recently that none of its ticks may have run yet. */
async function hasJustStarted(db: Db): Promise<boolean> {
  const [tickTimes, now] = await Promise.all([listTickTimes(db), databaseTime(db)]);
  return tickTimes.some(({ knownSince }) => now.getTime() - knownSince.getTime() < 2 * MINUTE);
}

async function heartbeat(db: Db): Promise<string> {
  const { tickedAt, isTicking } = await findHeartbeat(db);
  if (!tickedAt && (await hasJustStarted(db))) return 'the worker has just begun, and ticks within a minute';
  if (isTicking) return `the worker was heard of at ${tickedAt!.toISOString()}`;
  const lastHeard = tickedAt ? `was last heard of at ${tickedAt.toISOString()}` : 'has never been heard of';
  throw new CheckFailure(`The worker ${lastHeard}`, 'Start it (`npm run worker`) and look at its log.');
}

async function publishing(db: Db): Promise<string> {
  if (await isKnownDatabase(db)) return 'is released for this database';
  throw new CheckFailure(
    'This database was restored or copied, or another server took over. Nothing is published',
    'Run `npm run resume-publishing` and look at what would go out.',
  );
}

type PauseCause = Exclude<Pause['by'], 'release'>;
const PAUSED_BY: Record<PauseCause, { cause: string; fix: string }> = {
  admin: { cause: 'an admin', fix: 'Resume it on the admin page when that is mended.' },
  linkedin: { cause: "LinkedIn's daily limit", fix: 'It goes on by itself then.' },
  clock: {
    cause: 'the clock of the database',
    fix: 'Keep that clock set by NTP. If it was ahead and is right now, run `npm run resume-publishing`; if it is behind, set it right.',
  },
};

/** A missing release is reported by `publishing`. */
async function pause(db: Db): Promise<string> {
  const pauses = await findPauses(db, await databaseTime(db));
  const found = pauses.find((each): each is Pause & { by: PauseCause } => each.by !== 'release');
  if (!found) return 'publishing is not paused';
  const { by, reason, since, until } = found;
  const from = since ? ` since ${since.toISOString()}` : '';
  throw new CheckFailure(
    `Publishing is paused by ${PAUSED_BY[by].cause}${from}${until ? ` until ${until.toISOString()}` : ''}: ${reason}`,
    PAUSED_BY[by].fix,
  );
}

async function faults(db: Db): Promise<string> {
  const rows = await listOperatorFaults(db);
  if (rows.length > 0) {
    throw new CheckFailure(
      rows.map(({ message }) => message).join(' '),
      'Mend what it names; it goes by itself then.',
    );
  }
  return 'none is reported';
}

export const databaseChecks = (db: Db): Check[] =>
  [
    { name: 'postgres', fix: 'Check DATABASE_URL.', run: version },
    { name: 'migrations', fix: 'Run `npm run migrate`.', run: migrations },
    { name: 'letters', fix: 'Run `npm run migrate`.', run: letters },
    { name: 'clock', fix: 'Set the clock of this machine.', run: clock },
    { name: 'ticks', fix: 'Run `npm run migrate`, then start the worker.', run: lastTicks },
    { name: 'heartbeat', fix: 'Run `npm run migrate`.', run: heartbeat },
    { name: 'publishing', fix: 'Run `npm run migrate`.', run: publishing },
    { name: 'pause', fix: 'Run `npm run migrate`.', run: pause },
    { name: 'faults', fix: 'Run `npm run migrate`.', run: faults },
  ].map((check) => ({ ...check, run: () => check.run(db) }));
