import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Actor } from '#app/domain/platform/actor.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { call as callAt } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

async function somebody(options: { isAdmin?: boolean; name?: string } = {}) {
  const actor = await makeUser(database.db, options);
  const token = await tokenOf(database.db, actor);
  const call = (method: string, path: string, body?: object) =>
    callAt(url, method, `/feedback${path}`, body, token);
  return { actor, token, call };
}

const WISH = {
  type: 'feature_request',
  title: 'Posts in two languages',
  description: 'Mine are read in both.',
};

/** Feedback as its author is told of it. */
const ownOf = ({ name, email }: Actor, more: object = {}) => ({
  ...WISH,
  rating: null,
  upvotes: 0,
  status: 'new',
  upvoted: false,
  userId: { name, email },
  ...more,
});
const withoutIds = ({ _id, createdAt, ...rest }: Record<string, unknown>) => {
  assert.match(`${createdAt}`, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.equal(typeof _id, 'string');
  return rest;
};

test('feedback is sent, read, voted for and taken back, and tells nobody who wrote it', async () => {
  const [author, reader] = [await somebody({ name: 'Ada Quill' }), await somebody()];
  const sent = await author.call('POST', '/submit', { ...WISH, rating: 0, status: 'completed', upvotes: 99 });
  assert.equal(sent.status, 201);
  assert.deepEqual(withoutIds(sent.body.feedback), ownOf(author.actor));
  const id = sent.body.feedback._id;
  assert.deepEqual((await author.call('GET', '/my-feedback')).body, {
    feedback: [sent.body.feedback],
    nextCursor: null,
  });
  assert.deepEqual((await reader.call('GET', '/my-feedback')).body.feedback, []);
  const read = await reader.call('GET', `/${id}`);
  assert.deepEqual(withoutIds(read.body.feedback), { ...ownOf(author.actor), userId: null });
  const votes = [];
  for (const _ of [1, 2, 3]) votes.push((await reader.call('POST', `/${id}/upvote`)).body.feedback);
  assert.deepEqual(
    votes.map(({ upvotes, upvoted }) => [upvotes, upvoted]),
    [
      [1, true],
      [0, false],
      [1, true],
    ],
  );
  for (const [method, path] of [
    ['GET', `/${crypto.randomUUID()}`],
    ['GET', '/no-uuid'],
    ['POST', '/no-uuid/upvote'],
  ] as const) {
    const { status, body } = await reader.call(method, path);
    assert.deepEqual([status, body.code], [404, 'not_found']);
  }
});

test('what cannot be is refused beside its field, and a day has its limit', async () => {
  const { call } = await somebody();
  for (const [body, fields] of [
    [{ ...WISH, title: '' }, { title: ['Please give it a title'] }],
    [{ ...WISH, type: 'rant' }, { type: ['Please choose a type from the list'] }],
    [{ ...WISH, rating: 7 }, { rating: ['Please rate from 1 to 5, or leave the rating out'] }],
    [{ ...WISH, description: 7 }, { description: ['Please describe it'] }],
  ] as const) {
    const answer = await call('POST', '/submit', body);
    assert.deepEqual([answer.status, answer.body.code, answer.body.fields], [422, 'invalid', fields]);
  }
  for (let nth = 0; nth < 10; nth += 1) assert.equal((await call('POST', '/submit', WISH)).status, 201);
  const { status, headers, body } = await call('POST', '/submit', WISH);
  assert.deepEqual([status, body.code], [429, 'rate_limited']);
  assert.ok(Number(headers.get('Retry-After')) > 86_000);
});

test('admins read all of it with who wrote it, and say what becomes of it', async () => {
  const [author, admin] = [await somebody({ name: 'Ada Quill' }), await somebody({ isAdmin: true })];
  const title = `Wish ${crypto.randomUUID()}`;
  const { feedback } = (await author.call('POST', '/submit', { ...WISH, title, rating: 5 })).body;
  const all = (query: object) =>
    admin.call('GET', `/admin/all?${new URLSearchParams({ q: title, ...query })}`);
  const { userId, email, name } = author.actor;
  const whole = { ...ownOf(author.actor, { title, rating: 5 }), userId: { _id: userId, name, email } };
  const { upvoted: _, ...managed } = whole;
  const listed = (await all({})).body;
  assert.deepEqual([withoutIds(listed.feedback[0]), listed.nextCursor], [managed, null]);
  const changed = await admin.call('PUT', `/admin/${feedback._id}/status`, { status: 'planned' });
  assert.deepEqual(
    [changed.status, withoutIds(changed.body.feedback)],
    [200, { ...managed, status: 'planned' }],
  );
  const countOf = async (query: object) => (await all(query)).body.feedback.length;
  assert.deepEqual(
    [
      await countOf({ status: 'open' }),
      await countOf({ status: 'planned' }),
      await countOf({ status: 'closed' }),
    ],
    [1, 1, 0],
  );
  assert.deepEqual([await countOf({ type: 'feature_request' }), await countOf({ type: 'bug' })], [1, 0]);
  assert.equal((await all({ status: 'gone' })).status, 422);
  const wrong = await admin.call('PUT', `/admin/${feedback._id}/status`, { status: 'open' });
  assert.deepEqual(
    [wrong.status, wrong.body.fields],
    [422, { status: ['Please choose a status from the list'] }],
  );
  assert.equal((await author.call('GET', '/admin/all')).status, 403);
  assert.equal((await author.call('PUT', `/admin/${feedback._id}/status`, { status: 'new' })).status, 403);
});
