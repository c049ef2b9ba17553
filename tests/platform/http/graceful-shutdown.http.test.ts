import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { before, describe, type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { head, parseHead, speak } from '#tests/harness/http/raw.ts';
import { startWeb, type Web } from '#tests/harness/web.ts';
import { until } from '#tests/harness/worker/until.ts';

/** As many as the web has connections: one more would wait for a connection, and give up after 5 s. */
const REQUESTS = 10;

let database: TestDatabase;
/** Tokens of several users: only four reads of one user run at a time. */
let tokens: string[];

before(async () => {
  database = await testDatabase();
  const of = async () => tokenOf(database.db, await makeUser(database.db));
  tokens = [await of(), await of(), await of()];
});

/** Makes every request that reads topics wait until `release`. */
async function holdTopics(t: TestContext) {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('begin; lock table topics in access exclusive mode');
  const release = () => client.end();
  t.after(release);
  return { release };
}

/** Sends requests that are still being answered when it resolves, each on a connection of its own. */
async function begin(web: Web, count: number) {
  const answers = Array.from({ length: count }, (_, n) => {
    const asked = head('GET /api/v1/topics', [`Authorization: Bearer ${tokens[n % tokens.length]}`]);
    // One connection stays open when it is answered, as a browser's would.
    return speak(web.url, [n % 2 ? asked : asked.replace('Connection: close\r\n', '')]);
  });
  await until('all of them wait', async () => {
    const { rowCount } = await database.pool.query(
      `select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
    );
    return rowCount === count;
  });
  return answers;
}

async function connect(web: Web) {
  const socket = net.connect(Number(new URL(web.url).port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

const start = () => startWeb({ databaseUrl: database.url });

describe('a web process that is asked to end', () => {
  for (const how of ['SIGTERM', 'SIGINT', 'disconnect'] as const) {
    test(`answers what it has begun, takes nothing new and ends well: ${how}`, async (t) => {
      const web = await start();
      const idle = await connect(web);
      idle.write(head('GET /health').replace('Connection: close\r\n', ''));
      await once(idle, 'data');
      const closed = once(idle, 'close').then(() => Date.now());
      const { release } = await holdTopics(t);
      const answers = await begin(web, REQUESTS);

      const ended = web.end(how);
      const asked = Date.now();
      assert.ok(
        (await closed) - asked < 5_000,
        'an idle connection is closed before the others are answered',
      );
      await wait(300);
      await assert.rejects(connect(web), { code: 'ECONNREFUSED' });
      await release();
      for (const answer of await Promise.all(answers)) {
        const { status, headers, body } = parseHead(answer);
        assert.equal(status, 200, answer);
        assert.equal(headers.get('connection'), 'close');
        assert.match(body, /"topics":\[\]/);
      }
      assert.equal(await ended, 0);
      assert.ok(Date.now() - asked < 10_000);
    });
  }

  test('ends at once when nothing is being answered', async () => {
    const web = await start();
    const asked = Date.now();
    assert.equal(await web.end('SIGTERM'), 0);
    assert.ok(Date.now() - asked < 10_000, String(Date.now() - asked));
  });

  test('waits no longer than 20 seconds', async (t) => {
    const web = await start();
    const { release } = await holdTopics(t);
    const answers = await begin(web, 1);
    answers[0]!.catch(() => {});
    const asked = Date.now();
    assert.equal(await web.end('SIGTERM'), 0);
    const took = Date.now() - asked;
    assert.ok(took > 19_000 && took < 30_000, String(took));
    await release();
  });
});
