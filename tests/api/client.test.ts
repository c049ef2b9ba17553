import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { createToken } from '#app/domain/accounts/sign-in/api-tokens.ts';
import { createClient } from '#clients/typescript/src/client/index.ts';
import * as calls from '#clients/typescript/src/index.ts';
import { ROOT } from '#scripts/run.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { inSession } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startWeb } from '#tests/harness/web.ts';

const CLIENT = path.join(ROOT, 'clients/typescript');
const folder = mkdtempSync(path.join(tmpdir(), 'tidepost-client-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const run = (args: string[], env: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...env } });

const { db, url: databaseUrl } = await testDatabase();
const { url } = await startWeb({ databaseUrl });

async function tokenFor(scope: 'read' | 'write') {
  const actor = await makeUser(db);
  const { secret } = await createToken(db, await inSession(db, actor), { name: 'Client', scope, days: 7 });
  return { actor, secret };
}

/** The files of a folder below it, with what is in them. */
const filesOf = (at: string) =>
  Object.fromEntries(
    globSync('**/*.ts', { cwd: at })
      .toSorted()
      .map((file) => [file, readFileSync(path.join(at, file), 'utf8')]),
  );

test('the client is the one that the document makes: after a change, npm run client', async () => {
  const made = path.join(folder, 'src');
  await run(['scripts/generate-client.ts', made]);
  assert.deepEqual(filesOf(made), filesOf(path.join(CLIENT, 'src')));
});

test('a week goes by the client: topics, settings, a list page by page, and what is refused', async () => {
  const { actor, secret } = await tokenFor('write');
  await makePlan(db, actor, 1);
  const client = createClient({ baseUrl: `${url}/api/v1`, auth: secret });
  const names = ['Hiring', 'Planning', 'Quiet launches'];
  for (const name of names) {
    const { data } = await calls.postTopics({ client, body: { name } });
    assert.equal(data?.topic.name, name);
  }
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const { data } = await calls.getTopics({ client, query: { limit: 2, ...(cursor && { cursor }) } });
    seen.push(...data!.topics.map(({ name }) => name));
    cursor = data!.nextCursor ?? undefined;
  } while (cursor);
  assert.deepEqual(seen.toSorted(), names);
  const { data: saved } = await calls.putAutomationSettings({ client, body: { publishTimes: ['07:30'] } });
  assert.deepEqual(saved?.settings.publishTimes, ['07:30']);
  const key = { 'Idempotency-Key': 'once' };
  const body = { name: 'Made once' };
  const [first, again] = [
    await calls.postTopics({ client, body, headers: key }),
    await calls.postTopics({ client, body, headers: key }),
  ];
  assert.equal(first.data?.topic._id, again.data?.topic._id);
  assert.equal(again.response?.headers.get('Idempotency-Replayed'), 'true');
  const { error, response } = await calls.postTopics({ client, body: { name: '' } });
  assert.deepEqual(
    [response?.status, error?.code, Object.keys(error?.fields ?? {})],
    [422, 'invalid', ['name']],
  );
  const gone = await calls.getTopicsId({ client, path: { id: 'nowhere' } });
  assert.equal(gone.error?.code, 'not_found');
});

test('the example makes a topic once, and has a post written', async () => {
  const { actor, secret } = await tokenFor('write');
  const env = { TIDEPOST_URL: url, TIDEPOST_TOKEN: secret };
  const example = path.join(CLIENT, 'examples/week.ts');
  assert.ok(readFileSync(example, 'utf8').trimEnd().split('\n').length <= 32);
  const { stdout } = await run([example], env);
  assert.match(stdout, /New topic: Planning for small teams\nNothing waits\. One is being written: /);
  assert.doesNotMatch((await run([example], env)).stdout, /New topic/);
  const topics = db.selectFrom('topics').select('id').where('userId', '=', actor.userId);
  assert.equal((await topics.execute()).length, 1);
});

test('it can be packed: what TypeScript makes of it runs without it', async () => {
  const dist = path.join(folder, 'dist');
  await run(['node_modules/typescript/bin/tsc', '-p', CLIENT, '--outDir', dist]);
  const { secret } = await tokenFor('read');
  const program = `
    import { getTopics } from '${dist}/index.js';
    import { client } from '${dist}/client.gen.js';
    client.setConfig({ baseUrl: '${url}/api/v1', auth: '${secret}' });
    const { data } = await getTopics();
    process.stdout.write(JSON.stringify(data));`;
  const { stdout } = await run(['--input-type=module', '-e', program]);
  assert.deepEqual(JSON.parse(stdout), { topics: [], nextCursor: null });
});
