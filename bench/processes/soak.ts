/**
 * The whole product under mixed load: pages, the API, visits, writing, and posts due each minute, with faults of LinkedIn,
 * mail and writer, terminated database connections and killed workers. Afterwards it checks that each post was published
 * once or has a reason, that nothing is locked, that the log has no errors, and how memory has grown. `MINUTES` sets the
 * duration. Exits with 1 when a post was lost or published twice, something is locked, or an error was logged.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Db, isDatabaseUnavailable } from '#app/db/client.ts';
import { createSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { addMembers, callSandbox, MARKER, type Member, nextMinute, schedule } from '#bench/data/members.ts';
import { addPosts, cookieOf } from '#bench/data/users.ts';
import { type Load, type LoadResult, load, otherStatuses } from '#bench/load/load.ts';
import { figure, number, spread, title } from '#bench/measure/figures.ts';
import { measure, openProduct, type Product } from '#bench/measure/product.ts';
import type { Part } from '#scripts/start/processes.ts';
import { dice, SEED } from '#tests/harness/seed.ts';
import { INSPECTOR_OPTION, INSPECTOR_OUTPUT, watchMemory } from './endurance.ts';

const MINUTES = Number(process.env.MINUTES || 20);
const MINUTE_MS = 60_000;
const MEMBERS = 300;
const EACH_MINUTE = 100;
/** Late posts, and attempts without a known result, are finished within this time. */
const MOST_SETTLE_MS = 8 * MINUTE_MS;
const FAULT_INTERVAL_MS = 15_000;
const DISTURB_INTERVAL_MS = 3 * MINUTE_MS;
const STILL_LOCKED_MS = 10_000;
const LONGEST_LINE = 120;

/** Temporary failures before the post is created, and after it. */
const BEFORE_CREATE = ['503', '409', 'html-502', '429-retry-1', '500-before', 'drop-before', 'reset', 'slow'];
const AFTER_CREATE = ['500-after', 'drop-after', 'reset-after', '201-no-id', 'broken-json'];
const FAULTS = [
  ...[...BEFORE_CREATE, ...AFTER_CREATE].map((failure) => `linkedin.${failure}`),
  'writer.500',
  'writer.malformed',
  'writer.too-short',
  'writer.429',
  'mail.451',
  'mail.data-451',
];

const draw = dice(SEED);
const pick = <T>(all: T[]): T => all[Math.floor(draw() * all.length)]!;

type Line = { level?: number; msg?: string; err?: { code?: string; message?: string } };
/** Errors of the connections that disturb() terminates. */
const TERMINATED = /Connection terminated|terminating connection/;

/** A third of the members have a post that is due in each minute. */
async function scheduleAll(db: Db, members: Member[], first: Date): Promise<void> {
  const times = Math.max(1, MINUTES - 1);
  for (let minute = 0; minute < times; minute += 1) {
    const from = (minute * EACH_MINUTE) % MEMBERS;
    const dueAt = new Date(first.getTime() + minute * MINUTE_MS);
    const batch = members.slice(from, from + EACH_MINUTE);
    await schedule(db, batch, dueAt, 3 + minute);
  }
}

/** Requests at a constant rate for each page or endpoint. */
async function traffic(product: Product, members: Member[]): Promise<Map<string, LoadResult>> {
  const { app, db } = product;
  const users = members.slice(0, 50);
  const cookies = await Promise.all(users.map(({ userId }) => cookieOf(db, userId)));
  const sessions = users.map(({ userId }) => createSession(db, userId, 'api', 'soak'));
  const tokens = (await Promise.all(sessions)).map(({ token }) => token);
  const common = { connections: 16, warmUpSeconds: 0, isCompressed: true, seconds: MINUTES * 60 };
  const loads: Record<string, Omit<Load, keyof typeof common> & { connections?: number }> = {
    'start page': { url: app, perSecond: 5 },
    dashboard: { url: `${app}/app/dashboard`, perSecond: 5, cookies },
    queue: { url: `${app}/app/scheduled`, perSecond: 3, cookies },
    'list of the API': { url: `${app}/api/v1/automation/posts?limit=50`, perSecond: 10, tokens },
    visits: { url: `${app}/api/v1/visits/track`, perSecond: 50, recordsVisits: true },
  };
  const results = Object.entries(loads).map(
    async ([name, each]) => [name, await load({ ...common, ...each })] as const,
  );
  return new Map(await Promise.all(results));
}

/** Activates faults that apply a few times each. */
async function makeFaults(sandbox: string, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await callSandbox(`${sandbox}/api/faults`, 'POST', {
      kind: pick(FAULTS),
      times: 1 + Math.floor(draw() * 4),
      delayMs: 500,
    });
    await pause(FAULT_INTERVAL_MS);
  }
}

/** Terminates connections to the database, and kills the worker whose memory is not measured. */
async function disturb(db: Db, startWorker: () => Promise<Part>, isOver: () => boolean): Promise<void> {
  let second = await startWorker();
  for (let turn = 0; ; turn += 1) {
    const until = Date.now() + DISTURB_INTERVAL_MS;
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

/** Makes the generation time of one user after another due, so that posts are always being written. */
async function triggerWriting(db: Db, members: Member[], isOver: () => boolean): Promise<void> {
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

type PostCount = { status: string; isExplained: boolean; count: number };

async function countPosts(db: Db): Promise<PostCount[]> {
  const { rows } = await sql<PostCount>`
    select status, reason is not null or is_unconfirmed as is_explained, count(*)::int from post_schedules
    join posts on posts.id = post_id where content like ${`${MARKER}%`} group by 1, 2 order by 1, 2`.execute(
    db,
  );
  return rows;
}

/** Posts that are due and neither published nor failed. */
const countUnfinished = (counts: PostCount[]) =>
  counts
    .filter(({ status, isExplained }) => status === 'generated' && !isExplained)
    .reduce((sum, { count }) => sum + count, 0);

async function waitUntilSettled(db: Db): Promise<void> {
  const until = Date.now() + MOST_SETTLE_MS;
  while (countUnfinished(await countPosts(db)) > 0 && Date.now() < until) await pause(2_000);
}

/** Counts waiting locks, idle transactions and expired leases that still exist after a while. */
async function countLocked(db: Db): Promise<number> {
  const findLocked = async () => {
    const { rows } = await sql<{ what: string }>`
      select 'lock ' || pid || ' ' || virtualtransaction as what from pg_locks where not granted
      union all select 'transaction ' || pid || ' ' || xact_start from pg_stat_activity
        where state = 'idle in transaction' and datname = current_database()
      union all select 'lease ' || post_id from post_schedules where lease_until < now() - interval '5 minutes'`.execute(
      db,
    );
    return new Set(rows.map(({ what }) => what));
  };
  const before = await findLocked();
  await pause(STILL_LOCKED_MS);
  return (await findLocked()).intersection(before).size;
}

/** Counts log lines by message, without numbers, most frequent first. */
function summarize(lines: Line[], least: number, most: number): string {
  const selected = lines.filter(({ level = 0 }) => level >= least && level <= most);
  const groups = Map.groupBy(selected, ({ msg = '', err }) =>
    [msg, err?.message]
      .filter(Boolean)
      .join(': ')
      .replaceAll(/\d[\d.]*/g, 'n')
      .slice(0, LONGEST_LINE),
  ).entries();
  const counts = [...groups]
    .map(([msg, { length }]) => [msg, length] as const)
    .toSorted(([, a], [, b]) => b - a);
  return counts.map(([msg, count]) => `${count} × ${msg}`).join('; ') || 'none';
}

const isExpected = ({ msg = '', err }: Line) =>
  TERMINATED.test(`${msg} ${err?.message}`) ||
  isDatabaseUnavailable(Object.assign(new Error(err?.message), { code: err?.code }));

const lines: Line[] = [];
function onLine(line: string): void {
  const json = line.slice(line.indexOf('{'));
  if (INSPECTOR_OUTPUT.test(line)) return;
  if (json.startsWith('{"level"')) lines.push(JSON.parse(json) as Line);
  else if (!/ready|react-router-serve/.test(line)) lines.push({ level: 50, msg: line.slice(0, 200) });
}

await measure(
  async (stops) => {
    process.env.TRUST_PROXY = 'x-forwarded-for';
    process.env.LATE_SPACING = '0';
    process.env.NODE_OPTIONS = INSPECTOR_OPTION;
    const product = await openProduct(stops, onLine);
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
    const printMemory = watchMemory({ web, 'the worker that stays': worker }, MINUTES * MINUTE_MS);
    const [results] = await Promise.all([
      traffic(product, members),
      makeFaults(sandbox, isOver),
      disturb(db, product.startWorker, isOver),
      triggerWriting(db, members, isOver),
    ]);
    await printMemory();
    const { struck } = await callSandbox(`${sandbox}/api/faults`, 'GET');
    await callSandbox(`${sandbox}/api/faults`, 'DELETE').catch(() => {});
    await waitUntilSettled(db);

    for (const [name, loaded] of results) {
      figure(name, spread(loaded.latencies), otherStatuses(loaded) || 'all 200');
    }
    figure(
      'faults that struck',
      Object.entries(struck)
        .map(([kind, count]) => `${count} × ${kind}`)
        .join(', '),
    );
    const counts = await countPosts(db);
    const ledger: { posts: { text: string | null }[] } = await callSandbox(`${sandbox}/api/ledger`, 'GET');
    const texts = ledger.posts.flatMap(({ text }) => (text?.startsWith(MARKER) ? [text] : []));
    const [lost, duplicates] = [countUnfinished(counts), texts.length - new Set(texts).size];
    const locked = await countLocked(db);
    const failed = lines.filter((line) => !isExpected(line));
    const errors = summarize(failed, 50, 60);
    figure(
      'posts',
      counts
        .map(({ status, isExplained, count }) => `${count} ${status}${isExplained ? ', says why' : ''}`)
        .join('; '),
    );
    figure('  on LinkedIn', number(texts.length));
    const written = db.selectFrom('posts').select('id').where('runId', 'is not', null);
    figure('written meanwhile', number((await written.execute()).length));
    figure('lost', number(lost));
    figure('double', number(duplicates));
    figure('locked or waiting for a lock', number(locked));
    figure('warnings', summarize(lines, 40, 49));
    figure('errors', errors, `${lines.filter(isExpected).length} lines of ended connections left out`);
    if (lost + duplicates + locked > 0 || errors !== 'none') process.exitCode = 1;
  },
  (MINUTES + 15) * MINUTE_MS,
);
