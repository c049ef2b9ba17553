import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { withAccessToken } from '#app/domain/linkedin/connection.ts';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { agree, locationOf, sentBack } from '#tests/fixtures/oauth.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser, call } from '#tests/harness/http/browser.ts';
import { API_PATHS, filled, PAGE_PATHS } from '#tests/harness/http/route-paths.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb, type Web } from '#tests/harness/web.ts';

await startOutside();
let database: TestDatabase;
let web: Web;

before(async () => {
  database = await testDatabase();
  web = await startWeb({ databaseUrl: database.url, env: { LOG_LEVEL: 'trace' } });
});

test('24 no page, no answer and no log has a token, a code, a state or a secret', async () => {
  const { email, userId } = await makeUser(database.db, { isAdmin: true });
  const browser = new Browser(web.url);
  await browser.post('/login', { email, password: PASSWORD });
  const begun = locationOf(await browser.post('/app/linkedin/connect'));
  const back = await agree(begun, { email: `${randomUUID()}@members.example` });
  await browser.get(back);
  const { searchParams } = new URL(back, web.url);
  const access = (await withAccessToken(database.db, userId))!.token;

  const stranger = new Browser(web.url);
  const arrived = locationOf(
    await stranger.get(await sentBack(stranger, 'google', { email: `${randomUUID()}@people.example` })),
  );
  const exchange = new URL(arrived, web.url).searchParams.get('token')!;
  await stranger.get(arrived);

  const secrets = {
    'the access token': access,
    'the code': searchParams.get('code')!,
    'the state': searchParams.get('state')!,
    'the exchange code': exchange,
    'the client secret': 'tidepost-local-secret',
    'the session': browser.cookies.get('tidepost')!,
  };
  const { body } = await call(web.url, 'POST', '/auth/login', { email, password: PASSWORD });
  const seen: [string, string][] = [['the log', web.said()]];
  for (const path of PAGE_PATHS.filter((each) => each !== '/logout')) {
    const at = filled(path);
    for (const each of [at, `${at === '/' ? '/_root' : at}.data`]) {
      seen.push([each, await browser.read(each)], [`${each} of a new account`, await stranger.read(each)]);
    }
  }
  for (const path of API_PATHS) {
    const { body: answer } = await call(web.url, 'GET', filled(path), undefined, body.token);
    seen.push([path, JSON.stringify(answer)]);
  }
  seen.push(['the log afterwards', web.said()]);
  for (const [what, secret] of Object.entries(secrets)) {
    assert.ok(secret.length > 10, what);
    for (const [where, text] of seen) assert.ok(!text.includes(secret), `${what} stands in ${where}`);
  }
});

test('24 LinkedIn is asked for what publishing needs, and Google for who somebody is', async () => {
  const scope = async (provider: string) =>
    new URL(locationOf(await new Browser(web.url).post(`/auth/${provider}`))).searchParams.get('scope');
  assert.equal(await scope('linkedin'), 'openid profile email w_member_social');
  assert.equal(await scope('google'), 'openid email profile');
});
