import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { consumeAppCode } from '#app/domain/accounts/two-step/totp.ts';
import { findUnsentMail, listUnsentMails } from '#app/domain/email/outbox.ts';
import { withAccessToken } from '#app/domain/linkedin/connection.ts';
import { rotateKeys } from '#app/domain/operations/rotate-keys.ts';
import { env } from '#app/env.ts';
import { fetchProfile } from '#app/integrations/linkedin/oauth.ts';
import { ROOT } from '#scripts/run.ts';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { connectLinkedIn } from '#tests/fixtures/linkedin.ts';
import { makeApp } from '#tests/fixtures/two-step.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { Browser } from '#tests/harness/http/browser.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb } from '#tests/harness/web.ts';
import { withEnv } from '#tests/harness/with-env.ts';

const outside = await startOutside();
// The sandbox gives refresh tokens to applications whose client id says "refresh".
process.env.LINKEDIN_CLIENT_ID = 'tidepost-refresh';
process.env.LINKEDIN_CLIENT_SECRET = 'tidepost-refresh-secret';
const [OLD, NEW] = ['old', 'new'].map((id, at) => `${id}:${Buffer.alloc(32, at + 1).toString('base64')}`);
process.env.SECRET_KEYS = OLD!;
const { db, url, pool } = await testDatabase();
const SCRIPT = path.join(ROOT, 'scripts/rotate-keys.ts');
const PEOPLE = 12;
const AFTER_THE_END = new Date(Date.now() + 60 * 86_400_000 + 3_600_000);

const rotate = (keys: string) =>
  promisify(execFile)(process.execPath, [SCRIPT], {
    env: { ...process.env, DATABASE_URL: url, SECRET_KEYS: keys },
  });

const keysOf = (...ids: string[]) => {
  const keys = { old: Buffer.alloc(32, 1), new: Buffer.alloc(32, 2) };
  return { SECRET_KEYS: ids.map((id) => ({ id, key: keys[id as keyof typeof keys] })) };
};

/** Which keys the sealed values of all tables name. */
async function namedKeys(): Promise<string[]> {
  const { rows } = await pool.query(`
    select distinct split_part(sealed, '.', 1) as id from (
      select access_token_sealed as sealed from linkedin_connections
      union all select refresh_token_sealed from linkedin_connections
      union all select secret_sealed from authenticator_apps
      union all select data_sealed from mails where data_sealed is not null
    ) each`);
  return rows.map(({ id }) => id).toSorted();
}

/** Somebody who is connected, with an app for the second step and a mail about that. */
async function member() {
  const actor = await makeUser(db);
  await connectLinkedIn(db, actor, outside.url);
  return { actor, app: await makeApp(db, actor) };
}

test('25 everything that is kept is sealed anew while it is used, and the old key is needed until then', async () => {
  const people: Awaited<ReturnType<typeof member>>[] = [];
  for (let each = 0; each < PEOPLE; each += 1) people.push(await member());
  assert.deepEqual(await namedKeys(), ['old']);
  await withEnv(keysOf('new', 'old'), async () => {
    const [first] = people;
    await withAccessToken(db, first!.actor.userId, AFTER_THE_END);
    assert.deepEqual(await namedKeys(), ['new', 'old'], 'the first key writes');

    let isDone = false;
    const rotated = rotate(`${NEW},${OLD}`).finally(() => {
      isDone = true;
    });
    let uses = 0;
    while (!isDone) {
      const { userId } = people[uses % PEOPLE]!.actor;
      const isRenewed = uses % 3 === 0;
      const access = await withAccessToken(db, userId, isRenewed ? AFTER_THE_END : new Date());
      assert.ok(access, 'each can be used at any time');
      uses += 1;
    }
    const { stdout } = await rotated;
    assert.match(stdout, /LinkedIn connections: \d+ sealed anew\nauthenticator apps: 12 sealed anew\n/);
    assert.ok(uses > 0);
  });
  assert.deepEqual(await namedKeys(), ['new']);

  await withEnv(keysOf('new'), async () => {
    for (const { actor, app } of people) {
      const { token } = (await withAccessToken(db, actor.userId))!;
      assert.ok(await fetchProfile(token), 'the newest token is kept, not one that was renewed meanwhile');
      const [mailId] = await listUnsentMails(db, actor.email);
      assert.equal((await findUnsentMail(db, mailId!))!.kind, 'twoStepChanged');
      const now = new Date();
      assert.equal(await consumeAppCode(db, actor.userId, app.codeAt(now), now), true);
    }
  });
  const again = await rotate(`${NEW},${OLD}`);
  assert.match(again.stdout, /connections: 0 .*apps: 0 .*wait: 0 /s, 'a second time there is nothing to do');
});

test('25 a key that is gone is an error in words, and ends no process', async () => {
  const { actor } = await member();
  const { email, userId } = actor;
  assert.equal(env().SECRET_KEYS[0]!.id, 'old');
  const web = await startWeb({ databaseUrl: url, env: { SECRET_KEYS: NEW! } });
  await db.deleteFrom('authenticatorApps').execute();
  const browser = new Browser(web.url);
  await browser.post('/login', { email, password: PASSWORD });
  assert.equal((await browser.get('/app/linkedin')).status, 200);
  assert.equal((await fetch(`${web.url}/health`)).status, 200);
  await withEnv(keysOf('new'), () =>
    assert.rejects(withAccessToken(db, userId), /names the key "old", which SECRET_KEYS does not have/),
  );
  const failed = await rotate(NEW!).catch((error) => error);
  assert.equal(failed.code, 1);
  assert.match(failed.stdout, /LinkedIn connections: 0 sealed anew, 1 could not be opened/);
  assert.match(failed.stderr, /names a key that SECRET_KEYS does not have/);
});

for (const [table, column] of [
  ['linkedin_connections', 'access_token_sealed'],
  ['authenticator_apps', 'secret_sealed'],
  ['mails', 'data_sealed'],
]) {
  test(`25 what is written to ${table} while it is sealed anew stays`, async () => {
    const { actor } = await member();
    const of = `user_id = '${actor.userId}' and ${column} is not null`;
    const client = await pool.connect();
    try {
      await client.query(`begin; update ${table} set ${column} = 'new.written.mean.while' where ${of}`);
      const rotated = withEnv(keysOf('new', 'old'), () => rotateKeys(db));
      const waiting =
        'select 1 from pg_stat_activity where datname = current_database() and wait_event_type = $1';
      while ((await pool.query(waiting, ['Lock'])).rows.length === 0);
      await client.query('commit');
      await rotated;
    } finally {
      client.release();
    }
    const { rows } = await pool.query(`select distinct ${column} as kept from ${table} where ${of}`);
    assert.deepEqual(rows, [{ kept: 'new.written.mean.while' }]);
  });
}
