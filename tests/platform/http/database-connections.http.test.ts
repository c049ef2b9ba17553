import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createDatabase } from '#app/db/client.ts';
import { LANES } from '#app/domain/platform/jobs.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { urlsForRoles } from '#scripts/database-roles.ts';
import { migrate } from '#scripts/migrate.ts';
import { startPostgres } from '#scripts/postgres/postgres.ts';
import { freePort } from '#scripts/start/ports.ts';
import { makePublisher, makeScheduledPost, makeTopic } from '#tests/fixtures/posts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb } from '#tests/harness/web.ts';
import { startWorker } from '#tests/harness/worker/process.ts';
import { until } from '#tests/harness/worker/until.ts';
import { MOST_CONNECTIONS, SHARES } from '#worker/lanes.ts';

/** The connections of the pool, and the one that listens (docs/operations.md). */
const WEB_CONNECTIONS = 11;
const outside = await startOutside();
const database = await ownPostgres();
const PEOPLE = 6;
const POSTS_EACH = 20;
const LOAD_MS = 5_000;

test('the shares of the lanes are the whole budget of a worker', () => {
  const shared = LANES.map((lane) => SHARES[lane].queue + SHARES[lane].tasks);
  assert.equal(
    shared.reduce((sum, count) => sum + count),
    MOST_CONNECTIONS,
  );
});

/** A Postgres as production has it, with its 100 connections, for this file alone. */
async function ownPostgres() {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'tidepost-connections-'));
  chmodSync(dataDir, 0o755);
  const server = await startPostgres({ dataDir, port: await freePort(), durable: true });
  const { db, pool } = createDatabase(server.url(), 4);
  after(async () => {
    await db.destroy();
    await server.stop();
    for (const folder of [dataDir, server.home]) rmSync(folder, { recursive: true, force: true });
  });
  const addresses = urlsForRoles(server.url());
  await migrate(addresses);
  const log = () => readFileSync(path.join(server.home, 'postgres.log'), 'utf8');
  return { ...addresses, db, pool, log };
}

/** Counts the connections of each program again and again until it is stopped; `most` is the most of each so far. */
function watchConnections({ pool }: Awaited<ReturnType<typeof ownPostgres>>) {
  const most: Record<string, number> = {};
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const { rows } = await pool.query(
        `select application_name as name, count(*)::int as count from pg_stat_activity
         where backend_type = 'client backend' group by rollup (1)`,
      );
      for (const { name, count } of rows) most[name ?? 'all'] = Math.max(most[name ?? 'all'] ?? 0, count);
      await wait(10);
    }
  })();
  const stop = async () => {
    isOver = true;
    await watching;
  };
  return { most, stop };
}

test('two webs and three workers under load fit into 100 connections, each into its budget', async (t) => {
  const { db, pool, url } = database;
  const { rows: settings } = await pool.query('show max_connections');
  assert.equal(settings[0].max_connections, '100');
  await outside.fault('linkedin.slow', { times: PEOPLE * POSTS_EACH, delayMs: 500 });
  await outside.fault('writer.slow', { times: PEOPLE * 3, delayMs: 1_000 });

  const named = (name: string) => Object.assign(new URL(url), { search: `?application_name=${name}` }).href;
  const webs = await Promise.all(['web-1', 'web-2'].map((name) => startWeb({ databaseUrl: named(name) })));
  const cookies: string[] = [];
  for (let person = 0; person < PEOPLE; person++) {
    const actor = await makePublisher(db, outside.url, 5);
    const { cookies: jar } = await browserOf(db, actor, webs[0]!.url);
    cookies.push(`tidepost=${jar.get('tidepost')}`);
    await makeTopic(db, actor);
    for (let post = 0; post < POSTS_EACH; post++) {
      await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() - 1_000) });
    }
    await generateNow(db, actor, { topicId: undefined, count: 3 });
  }
  // A new plan fits the queue to its publish times, which would move the posts that are due.
  await pool.query(`delete from graphile_worker._private_jobs where key like 'refit:%'`);
  await enqueueDuePosts(db);

  const { most, stop: stopWatching } = watchConnections(database);
  const env = { SMTP_URL: outside.smtpUrl, ALLOW_PRIVATE_IMAGES: '1' };
  const kills: (() => Promise<void>)[] = [];
  t.after(() => Promise.all(kills.map((kill) => kill())));
  const start = () => startWorker((kill) => void kills.push(kill), database, env);
  const workers = await Promise.all([start(), start(), start()]);
  let isBusy = true;
  let shown = 0;
  const looking = webs.flatMap((web) =>
    cookies.map(async (Cookie) => {
      while (isBusy && !t.signal.aborted) {
        const answer = await fetch(`${web.url}/app/dashboard`, { headers: { Cookie }, redirect: 'manual' });
        await answer.arrayBuffer();
        if (answer.status === 200) shown += 1;
      }
    }),
  );
  const isWorker = (name: string) => name.startsWith('worker-');
  const loaded = () => Object.entries(most).filter(([name, count]) => isWorker(name) && count >= 5);
  const published = () => pool.query(`select from post_schedules where status = 'published'`);
  await wait(LOAD_MS);
  await until('every worker was under load', () => loaded().length === workers.length);
  await until('posts went out', async () => (await published()).rowCount);
  isBusy = false;
  await Promise.all(looking);
  await stopWatching();

  assert.ok(shown > 0, 'pages were shown');
  t.diagnostic(`the most at once: ${JSON.stringify(most)}`);
  assert.equal(Object.keys(most).filter(isWorker).length, workers.length);
  for (const [name, count] of Object.entries(most)) {
    if (isWorker(name)) assert.ok(count <= MOST_CONNECTIONS, `${name} had ${count}`);
    if (name.startsWith('web-')) assert.ok(count <= WEB_CONNECTIONS, `${name} had ${count}`);
  }
  assert.doesNotMatch(database.log(), /FATAL:.*(?:too many|connection slots)/);
});
