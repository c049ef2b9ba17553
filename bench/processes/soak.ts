/**
 * The whole product for a while under what a day brings: pages, the API, visits and writing at once, posts due each minute,
 * and faults of LinkedIn, of mail, of the writer, of connections to the database and of a worker, which is killed. Then:
 * whether each post went out once or says why not, whether anything is left locked, whether the log has errors, and how
 * memory went. `MINUTES=2` makes it short. Ends with 1 when something was lost, double, locked or failed.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Db, isDatabaseUnavailable } from '#app/db/client.ts';
import { createSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { addMembers, call, MARKER, type Member, nextMinute, schedule } from '#bench/data/members.ts';
import { addPosts, cookieOf } from '#bench/data/people.ts';
import { type Load, type Loaded, load, otherAnswers } from '#bench/load/load.ts';
import { figure, number, spread, title } from '#bench/measure/figures.ts';
import { measure, openProduct, type Product } from '#bench/measure/product.ts';
import type { Part } from '#scripts/start/processes.ts';
import { dice, SEED } from '#tests/seed.ts';
import { INSPECTED, OF_INSPECTOR, watchMemory } from './endurance.ts';

const MINUTES = Number(process.env.MINUTES || 20);
const MINUTE_MS = 60_000;
const MEMBERS = 300;
const EACH_MINUTE = 100;
/** What is late, unknown or was begun by a killed worker is brought to an end in this time. */
const AFTERWARDS_MS = 8 * MINUTE_MS;
const FAULT_EACH_MS = 15_000;
const DISTURBED_EACH_MS = 3 * MINUTE_MS;
const STILL_MS = 10_000;
const LONGEST_LINE = 120;

/** What passes by itself, before and after the post is live. */
const CREATE = ['503', '409', 'html-502', '429-retry-1', '500-before', 'drop-before', 'reset', 'slow'];
const LIVE = ['500-after', 'drop-after', 'reset-after', '201-no-id', 'broken-json'];
const FAULTS = [
  ...[...CREATE, ...LIVE].map((trouble) => `linkedin.${trouble}`),
  'writer.500',
  'writer.malformed',
  'writer.too-short',
  'writer.429',
  'mail.451',
  'mail.data-451',
];

const draw = dice(SEED);
const one = <T>(all: T[]): T => all[Math.floor(draw() * all.length)]!;

type Line = { level?: number; msg?: string; err?: { code?: string; message?: string } };
/** What our own faults bring about: connections to the database that were ended. */
const OURS = /Connection terminated|terminating connection/;

/** Each minute a third of the members have a post that is due. */
async function scheduleAll(db: Db, members: Member[], first: Date): Promise<void> {
  const times = Math.max(1, MINUTES - 1);
  for (let minute = 0; minute < times; minute += 1) {
    const from = (minute * EACH_MINUTE) % MEMBERS;
    const dueAt = new Date(first.getTime() + minute * MINUTE_MS);
    const some = members.slice(from, from + EACH_MINUTE);
    await schedule(db, some, dueAt, 3 + minute);
  }
}

/** What people look at meanwhile, each at a rate of its own. */
async function traffic(product: Product, members: Member[]): Promise<Map<string, Loaded>> {
  const { app, db } = product;
  const people = members.slice(0, 50);
  const cookies = await Promise.all(people.map(({ userId }) => cookieOf(db, userId)));
  const sessions = people.map(({ userId }) => createSession(db, userId, 'api', 'soak'));
  const tokens = (await Promise.all(sessions)).map(({ token }) => token);
  const usual = { connections: 16, warmUpSeconds: 0, isCompressed: true, seconds: MINUTES * 60 };
  const loads: Record<string, Omit<Load, keyof typeof usual> & { connections?: number }> = {
    'start page': { url: app, perSecond: 5 },
    dashboard: { url: `${app}/app/dashboard`, perSecond: 5, cookies },
    queue: { url: `${app}/app/scheduled`, perSecond: 3, cookies },
    'list of the API': { url: `${app}/api/v1/automation/posts?limit=50`, perSecond: 10, tokens },
    visits: { url: `${app}/api/v1/visits/track`, perSecond: 50, tellsOfVisits: true },
  };
  const answered = Object.entries(loads).map(
    async ([name, each]) => [name, await load({ ...usual, ...each })] as const,
  );
  return new Map(await Promise.all(answered));
}

/** Faults that strike a few times each, until `isOver`. */
async function makeFaults(sandbox: string, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await call(`${sandbox}/api/faults`, 'POST', {
      kind: one(FAULTS),
      times: 1 + Math.floor(draw() * 4),
      delayMs: 500,
    });
    await pause(FAULT_EACH_MS);
  }
}

/** Ends connections to the database, and kills the one of two workers that is not watched. */
async function disturb(db: Db, startWorker: () => Promise<Part>, isOver: () => boolean): Promise<void> {
  let second = await startWorker();
  for (let turn = 0; ; turn += 1) {
    const until = Date.now() + DISTURBED_EACH_MS;
    while (!isOver() && Date.now() < until) await pause(1_000);
    if (isOver()) return;
    if (turn % 2 === 0) {
      process.kill(second.pid!, 'SIGKILL');
      second = await startWorker();
    } else {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename <> current_user`.execute(db);
    }
  }
}

const clockAfter = (hours: number) =>
  new Date(Date.now() + hours * 60 * MINUTE_MS).toISOString().slice(11, 16);

/** The settings of people with topics come due, one after the other, so that there is always something to write. */
async function letWrite(db: Db, members: Member[], isOver: () => boolean): Promise<void> {
  const publishTimes = [clockAfter(2), clockAfter(4)].toSorted();
  for (const { userId } of members.slice(-MINUTES * 6)) {
    if (isOver()) return;
    await db
      .updateTable('automationSettings')
      .set({ isEnabled: true, publishTimes, nextRunAt: new Date() })
      .where('userId', '=', userId)
      .execute();
    await pause(10_000);
  }
}

type Stand = { status: string; says: boolean; count: number };

async function standing(db: Db): Promise<Stand[]> {
  const { rows } = await sql<Stand>`
    select status, reason is not null or is_unconfirmed as says, count(*)::int from deliveries
    join posts on posts.id = post_id where content like ${`${MARKER}%`} group by 1, 2 order by 1, 2`.execute(
    db,
  );
  return rows;
}

/** What is still on its way: due, and neither out nor given up. */
const onTheirWay = (stands: Stand[]) =>
  stands
    .filter(({ status, says }) => status === 'generated' && !says)
    .reduce((sum, { count }) => sum + count, 0);

async function untilSettled(db: Db): Promise<void> {
  const until = Date.now() + AFTERWARDS_MS;
  while (onTheirWay(await standing(db)) > 0 && Date.now() < until) await pause(2_000);
}

/** What waits for a lock, stays in a transaction, or is leased to somebody who is gone, and does so still a while later. */
async function lockedOf(db: Db): Promise<number> {
  const look = async () => {
    const { rows } = await sql<{ what: string }>`
      select 'lock ' || pid || ' ' || virtualtransaction as what from pg_locks where not granted
      union all select 'transaction ' || pid || ' ' || xact_start from pg_stat_activity
        where state = 'idle in transaction' and datname = current_database()
      union all select 'lease ' || post_id from deliveries where lease_until < now() - interval '5 minutes'`.execute(
      db,
    );
    return new Set(rows.map(({ what }) => what));
  };
  const before = await look();
  await pause(STILL_MS);
  return (await look()).intersection(before).size;
}

/** Lines of a level by what they say, whatever numbers are in it, most first. */
function linesOf(lines: Line[], least: number, most: number): string {
  const some = lines.filter(({ level = 0 }) => level >= least && level <= most);
  const by = Map.groupBy(some, ({ msg = '', err }) =>
    [msg, err?.message]
      .filter(Boolean)
      .join(': ')
      .replaceAll(/\d[\d.]*/g, 'n')
      .slice(0, LONGEST_LINE),
  ).entries();
  const counts = [...by].map(([msg, { length }]) => [msg, length] as const).toSorted(([, a], [, b]) => b - a);
  return counts.map(([msg, count]) => `${count} × ${msg}`).join('; ') || 'none';
}

/** Whether a line is about nothing but a connection that we ended. */
const isOurs = ({ msg = '', err }: Line) =>
  OURS.test(`${msg} ${err?.message}`) ||
  isDatabaseUnavailable(Object.assign(new Error(err?.message), { code: err?.code }));

const lines: Line[] = [];
function hear(line: string): void {
  const json = line.slice(line.indexOf('{'));
  if (OF_INSPECTOR.test(line)) return;
  if (json.startsWith('{"level"')) lines.push(JSON.parse(json) as Line);
  else if (!/ready|react-router-serve/.test(line)) lines.push({ level: 50, msg: line.slice(0, 200) });
}

await measure(
  async (stops) => {
    process.env.TRUST_PROXY = 'x-forwarded-for';
    process.env.LATE_SPACING = '0';
    process.env.NODE_OPTIONS = INSPECTED;
    const product = await openProduct(stops, hear);
    const { db, sandbox } = product;
    await product.startSandbox();
    const members = await addMembers(db, sandbox, MEMBERS);
    await addPosts(
      db,
      members.slice(0, 50).map(({ userId }) => userId),
      60,
      0,
    );
    const [web, worker] = [await product.startWeb(), await product.startWorker()];
    title(`${MINUTES} minutes of everything, with faults; ${number(EACH_MINUTE)} posts due each minute`);
    await scheduleAll(db, members, nextMinute());
    const until = Date.now() + MINUTES * MINUTE_MS;
    const isOver = () => Date.now() > until;
    const tellMemory = watchMemory({ web, 'the worker that stays': worker }, MINUTES * MINUTE_MS);
    const [answered] = await Promise.all([
      traffic(product, members),
      makeFaults(sandbox, isOver),
      disturb(db, product.startWorker, isOver),
      letWrite(db, members, isOver),
    ]);
    await tellMemory();
    const { struck } = await call(`${sandbox}/api/faults`, 'GET');
    await call(`${sandbox}/api/faults`, 'DELETE').catch(() => {});
    await untilSettled(db);

    for (const [name, loaded] of answered) {
      figure(name, spread(loaded.latencies), otherAnswers(loaded) || 'all 200');
    }
    figure(
      'faults that struck',
      Object.entries(struck)
        .map(([kind, count]) => `${count} × ${kind}`)
        .join(', '),
    );
    const stands = await standing(db);
    const ledger: { posts: { text: string | null }[] } = await call(`${sandbox}/api/ledger`, 'GET');
    const texts = ledger.posts.flatMap(({ text }) => (text?.startsWith(MARKER) ? [text] : []));
    const [lost, doubles] = [onTheirWay(stands), texts.length - new Set(texts).size];
    const locked = await lockedOf(db);
    const failed = lines.filter((line) => !isOurs(line));
    const errors = linesOf(failed, 50, 60);
    figure(
      'posts',
      stands.map(({ status, says, count }) => `${count} ${status}${says ? ', says why' : ''}`).join('; '),
    );
    figure('  on LinkedIn', number(texts.length));
    const written = db.selectFrom('posts').select('id').where('runId', 'is not', null);
    figure('written meanwhile', number((await written.execute()).length));
    figure('lost', number(lost));
    figure('double', number(doubles));
    figure('locked or waiting for a lock', number(locked));
    figure('warnings', linesOf(lines, 40, 49));
    figure('errors', errors, `${lines.filter(isOurs).length} lines of ended connections left out`);
    if (lost + doubles + locked > 0 || errors !== 'none') process.exitCode = 1;
  },
  (MINUTES + 15) * MINUTE_MS,
);
