import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { FEEDBACK_PER_DAY } from '#app/domain/feedback/limits.ts';
import { TICKET_MESSAGE_MAX } from '#app/domain/support/limits.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser, call, wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

/** What the rules say; a test that read the number of the product would not see it change. */
const MOST_BYTES = 10 * 1024;

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url, env: { TRUST_PROXY: 'x-forwarded-for' } }));
});

let networks = 0;
const from = () => ({ 'X-Forwarded-For': `10.${++networks}.7.7` });
const asked = (more: object = {}) => ({
  name: 'Ada',
  email: 'ada@example.com',
  category: 'general',
  subject: 'Clock',
  message: 'Whose is it?',
  ...more,
});
/** The same asked in so many bytes, by a member that is none of the call's. */
function bodyOf(bytes: number): string {
  const bare = JSON.stringify(asked({ more: '' }));
  return JSON.stringify(asked({ more: 'x'.repeat(bytes - Buffer.byteLength(bare)) }));
}
const post = (path: string, body: string, type: string) =>
  fetch(url + path, { method: 'POST', headers: { ...from(), Origin: url, 'Content-Type': type }, body });
const tickets = async () => (await database.db.selectFrom('supportTickets').select('id').execute()).length;

test('of the cookies with notices as many are read and taken back as there are notices', async () => {
  const Cookie = Array.from({ length: 1_000 }, (_, nth) => `notices-${nth}=`).join('; ');
  const answer = await fetch(`${url}/login`, { headers: { ...from(), Cookie } });
  await answer.arrayBuffer();
  assert.deepEqual([answer.status, answer.headers.getSetCookie().length], [200, 20]);
});

describe('what anybody may ask of support', () => {
  test('has 10 KiB by a call, and not a byte more', async () => {
    const send = async (bytes: number) =>
      (await post('/api/v1/support/submit', bodyOf(bytes), 'application/json')).status;
    const before = await tickets();
    assert.equal(await send(MOST_BYTES + 1), 413);
    assert.equal(await tickets(), before);
    assert.equal(await send(MOST_BYTES), 201);
    assert.equal(await tickets(), before + 1);
  });

  test('has a bound by the form, in the page and in what scripts send', async () => {
    const before = await tickets();
    for (const path of ['/help', '/help.data', '/help/', '/HELP', '/hel%70', '/help/_.data']) {
      const body = new URLSearchParams({ ...asked(), more: 'x'.repeat(MOST_BYTES) });
      assert.equal((await new Browser(url, from()).post(path, [...body])).status, 413, path);
    }
    assert.equal(await tickets(), before);
  });

  test('has them by the form as browsers send it, and takes a message of full length in whatever letters', async () => {
    const send = async (message: string, more = '') => {
      const form = new FormData();
      for (const [name, value] of Object.entries(asked({ message, more }))) form.set(name, value);
      return (await new Browser(url, from()).postFiles('/help', form)).status;
    };
    for (const letter of ['a', 'é', 'क', '語']) {
      assert.equal(await send(letter.repeat(TICKET_MESSAGE_MAX)), 302, letter);
    }
    const before = await tickets();
    assert.equal(await send('Whose is it?', 'x'.repeat(MOST_BYTES)), 413);
    assert.equal(await tickets(), before);
  });
});

test('who has sent all the feedback of a day still asks support, and the other way round', async () => {
  const { db } = database;
  const feedback = (nth: number) => ({
    type: 'general',
    title: `Thought ${crypto.randomUUID()}`,
    description: `Number ${nth}`,
  });
  const send = {
    feedback: (token: string, nth: number) => call(url, 'POST', '/feedback/submit', feedback(nth), token),
    support: (token: string, nth: number) =>
      call(url, 'POST', '/support/submit', asked({ subject: `Number ${nth}` }), token),
  };
  for (const [used, other] of [
    ['feedback', 'support'],
    ['support', 'feedback'],
  ] as const) {
    const token = await tokenOf(db, await makeUser(db));
    let nth = 0;
    while ((await send[used](token, nth)).status === 201 && nth < 40) nth += 1;
    assert.equal(nth, used === 'feedback' ? FEEDBACK_PER_DAY : 20, used);
    assert.equal((await send[used](token, 99)).status, 429, used);
    assert.equal((await send[other](token, 0)).status, 201, other);
  }
});

describe('the bar of the promotion', () => {
  const BAR = /<aside aria-label="Offer"[\s\S]*?<\/aside>/;

  test('says the percentage of the configuration to visitors, on the start page alone', async () => {
    const visitor = new Browser(url);
    assert.match(wordsOf(BAR.exec(await visitor.read('/'))![0]), /^50% off your first month\./);
    for (const path of ['/terms', '/help']) assert.doesNotMatch(await visitor.read(path), BAR, path);
    const reader = await browserOf(database.db, await makeUser(database.db), url);
    const page = await reader.get('/');
    assert.equal(page.status, 200);
    assert.doesNotMatch(await page.text(), BAR, 'who is signed in has had a first month, or knows the price');
  });

  test('and its prices say another percentage when the operator does', async () => {
    const other = await startWeb({ databaseUrl: database.url, env: { PROMO_PERCENT: '35' } });
    const page = await new Browser(other.url).read('/');
    assert.match(wordsOf(BAR.exec(page)![0]), /^35% off your first month\./);
    assert.match(wordsOf(page), /Your first month costs 35% less\./);
    assert.doesNotMatch(wordsOf(page), /50%/);
  });

  test('is not there without a promotion', async () => {
    const other = await startWeb({ databaseUrl: database.url, env: { PROMO_PERCENT: '0' } });
    const page = await new Browser(other.url).read('/');
    assert.doesNotMatch(page, BAR);
    assert.doesNotMatch(wordsOf(page), /% (?:off|less)/);
  });
});
