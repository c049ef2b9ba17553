import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { parse } from 'yaml';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';
import { metricsAccess } from '#app/metrics.ts';
import { ROOT } from '#scripts/run.ts';
import { freePort } from '#scripts/start/ports.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeDeadJob } from '#tests/fixtures/dead-jobs.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { startWeb, type Web } from '#tests/harness/web.ts';
import { startWorker } from '#tests/harness/worker/process.ts';
import { until } from '#tests/harness/worker/until.ts';

const TOKEN = 'a-token-of-twenty-characters';
const bearer = { Authorization: `Bearer ${TOKEN}` };
let database: TestDatabase;
let web: Web;

before(async () => {
  database = await testDatabase();
  web = await startWeb({ databaseUrl: database.url, env: { METRICS_TOKEN: TOKEN } });
});

const scrape = async (url = `${web.url}/metrics`, headers: Record<string, string> = bearer) => {
  const answer = await fetch(url, { headers, redirect: 'manual' });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
/** The value of a line, by all that stands before it. */
const numberIn = (text: string, line: string) =>
  Number(
    text
      .split('\n')
      .find((each) => each.startsWith(`${line} `))
      ?.slice(line.length + 1) ?? Number.NaN,
  );
const namesIn = (text: string) =>
  new Set([...text.matchAll(/^([a-z_\d]+)(?:\{| )/gm)].map(([, name]) => name!));

test('the metrics are behind their token, and without one there is no such address', async () => {
  const { url } = await startWeb({ databaseUrl: database.url });
  const [none, unknown] = [await scrape(`${url}/metrics`), await scrape(`${url}/no-such-address`)];
  assert.deepEqual(
    [none.status, none.headers.get('Location')],
    [unknown.status, unknown.headers.get('Location')],
  );
  assert.equal(none.text, unknown.text);
  for (const Authorization of [
    '',
    TOKEN,
    `Basic ${TOKEN}`,
    `Bearer ${TOKEN}x`,
    'Bearer ',
    `Bearer ${TOKEN.slice(1)}`,
  ]) {
    const { status, text } = await scrape(`${web.url}/metrics`, { Authorization });
    assert.deepEqual([status, text.includes('tidepost')], [401, false], Authorization);
  }
  assert.equal((await scrape()).status, 200);
  assert.equal(metricsAccess(`Bearer ${TOKEN}`, undefined), 'unknown');
});

test('a page whose reader leaves before it is answered is no fault of ours', async () => {
  const { db } = database;
  const leaving = new AbortController();
  const reader = await browserOf(db, await makeUser(db), web.url);
  const headers = { Cookie: [...reader.cookies].map((each) => each.join('=')).join('; ') };
  await db.transaction().execute(async (trx) => {
    await sql`lock table post_schedules in access exclusive mode`.execute(trx);
    const page = fetch(`${web.url}/app/dashboard`, { headers, signal: leaving.signal });
    await until('the page waits for the table', async () => {
      const { rows } = await sql`select 1 from pg_locks where not granted`.execute(trx);
      return rows.length > 0;
    });
    leaving.abort();
    await assert.rejects(page);
  });
  const answered = async (status: string) =>
    numberIn(
      (await scrape()).text,
      `tidepost_http_request_duration_seconds_count{method="GET",route="/app/dashboard",status="${status}"}`,
    );
  await until(
    'the request is counted',
    async () => (await answered('4xx')) === 1 || (await answered('5xx')) > 0,
  );
  assert.equal(await answered('4xx'), 1);
});

test('labels are patterns of routes and classes of status, whatever is asked for', async () => {
  await fetch(`${web.url}/approval/one-secret/skip`);
  await fetch(`${web.url}/approval/another-secret/skip`);
  await fetch(`${web.url}/api/v1/automation/posts/${'0'.repeat(8)}`);
  await fetch(`${web.url}/no-such-page-as-this`, { redirect: 'manual' });
  await fetch(`${web.url}/login`, { method: 'PROPFIND' });
  const { text } = await scrape();
  const requests = text
    .split('\n')
    .filter((line) => line.startsWith('tidepost_http_request_duration_seconds_count'));
  assert.ok(
    requests.some((line) => line.includes('route="/approval/:id/:verb"')),
    requests.join('\n'),
  );
  assert.doesNotMatch(requests.join('\n'), /secret|no-such-page|PROPFIND|0{8}/);
});

test('the numbers are those of operations, and read once in ten seconds', async () => {
  const fresh = await startWeb({ databaseUrl: database.url, env: { METRICS_TOKEN: TOKEN } });
  const at = `${fresh.url}/metrics`;
  await database.db.insertInto('mails').values({ toAddress: 'a@example.com', kind: 'code' }).execute();
  const first = await scrape(at);
  assert.equal(numberIn(first.text, 'tidepost_mails_waiting'), 1);
  assert.equal(numberIn(first.text, 'tidepost_operations_read'), 1);
  assert.equal(numberIn(first.text, 'tidepost_lane_jobs{lane="upkeep",state="waiting"}'), 0);
  await makeDeadJob(database.db, 'send-mail', { mailId: 'm' });
  assert.equal(numberIn((await scrape(at)).text, 'tidepost_dead_jobs'), 0);
});

test('every metric that a rule or a panel names is told by a process', async (t) => {
  const port = await freePort();
  const env = { METRICS_TOKEN: TOKEN, METRICS_PORT: String(port) };
  const worker = await startWorker((end) => t.after(end), database, env, ['upkeep']);
  const { userId } = await makeUser(database.db);
  await enqueue(database.db, jobs.refitQueue, { userId });
  const url = `http://127.0.0.1:${port}/metrics`;
  await until('the job was counted', async () => {
    const { text } = await scrape(url);
    return numberIn(text, 'tidepost_job_duration_seconds_count{task="refit-queue",outcome="done"}') >= 1;
  });
  assert.equal((await scrape(url, {})).status, 401);
  assert.equal((await scrape(`http://127.0.0.1:${port}/`, bearer)).status, 404);
  await fetch(`${web.url}/login`);
  await fetch(`${web.url}/app/admin`, { headers: { Cookie: 'tidepost=x' }, redirect: 'manual' });
  const told = new Set([...namesIn((await scrape()).text), ...namesIn((await scrape(url)).text)]);
  for (const file of ['docs/alerts.yml', 'docs/grafana-dashboard.json']) {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    const named = new Set(
      [...text.matchAll(/\b(?:tidepost|nodejs|process)_[a-z\d_]+/g)].map(([name]) => name),
    );
    assert.ok(named.size > 8, file);
    // Only what has happened is counted by name; the metric itself is declared all the same.
    const declared = (await scrape()).text.includes('# TYPE tidepost_events_total counter');
    const missing = [...named].filter(
      (name) => !told.has(name) && !(declared && name === 'tidepost_events_total'),
    );
    assert.deepEqual(missing, [], file);
  }
  await worker.kill();
});

/** The expression of an alarm. */
function ruleOf(name: string): string {
  const { groups }: { groups: { rules: { alert: string; expr: string }[] }[] } = parse(
    readFileSync(path.join(ROOT, 'docs/alerts.yml'), 'utf8'),
  );
  return groups.flatMap(({ rules }) => rules).find(({ alert }) => alert === name)!.expr;
}

test('a worker that stopped is no failed request: who asks whether all is well gets 503 for it', async () => {
  assert.equal((await fetch(`${web.url}/ready`)).status, 503);
  const { text } = await scrape();
  const count = 'tidepost_http_request_duration_seconds_count';
  const failed = text
    .split('\n')
    .filter((line) => line.startsWith(count) && line.includes('status="5xx"'))
    .map((line) => /route="([^"]+)"/.exec(line)![1]);
  assert.deepEqual(failed, ['/ready']);
  const asked = [...ruleOf('TidepostErrors').matchAll(/_duration_seconds_count(\S*)\[5m\]/g)];
  assert.equal(asked.length, 2);
  for (const [, of] of asked) {
    assert.match(of!, /route!="\/ready"/);
    assert.match(of!, /route!="\/api\/v1\/visits\/track"/, 'each page view records a visit');
  }
});

test('an alarm comes when no web tells its numbers: nearly all other rules would then be silent', () => {
  assert.match(ruleOf('TidepostNumbersAreOld'), /\bor absent\(tidepost_operations_read\)/);
});
