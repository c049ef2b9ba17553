import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { afterCommit, type Trx, transact } from '#app/db/client.ts';
import { rotateKeys } from '#app/domain/operations/rotate-keys.ts';
import { runIdempotently, type StoredResponse } from '#app/domain/platform/idempotency-keys.ts';
import { TopicInput } from '#app/domain/topics/schema.ts';
import { createTopic } from '#app/domain/topics/topics.ts';
import { env } from '#app/env.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const { userId, ...rest } = await makeUser(db);
const actor = { userId, ...rest };
const asked = (key: string, body: unknown = {}) => ({ userId, network: '', call: 'POST /topics', key, body });
const topics = async () =>
  (await db.selectFrom('topics').select('name').where('userId', '=', userId).orderBy('name').execute()).map(
    ({ name }) => name,
  );
const create = (trx: Trx, name: string) => createTopic(trx, actor, TopicInput.parse({ name }));
const once = (key: string, handle: (trx: Trx) => Promise<StoredResponse>) =>
  runIdempotently(db, asked(key), new Date(), handle);

test('what fails leaves nothing: no answer, and nothing of what was done', async () => {
  const failing = once('fails', async (trx) => {
    await create(trx, 'Lost');
    throw new Error('cut off');
  });
  await assert.rejects(failing, /cut off/);
  assert.deepEqual(await topics(), []);
  const { isReplayed } = await once('fails', async () => ({ status: 201, text: '{}' }));
  assert.equal(isReplayed, false);
});

test('a part that throws takes back its own, and leaves what was whole before', async () => {
  const told: string[] = [];
  const answer = await once('in parts', async (trx) => {
    await create(trx, 'Whole');
    afterCommit(trx, () => told.push('whole'));
    const part = transact(trx, async (inner) => {
      await create(inner, 'Taken back');
      afterCommit(inner, () => told.push('taken back'));
      await sql`select 1 / 0`.execute(inner);
    });
    await assert.rejects(part, /division by zero/);
    return { status: 409, text: 'refused' };
  });
  assert.deepEqual(answer, { status: 409, text: 'refused', isReplayed: false });
  assert.deepEqual([await topics(), told], [['Whole'], ['whole']]);
  const again = await once('in parts', async () => assert.fail('is not done again'));
  assert.deepEqual(again, { status: 409, text: 'refused', isReplayed: true });
});

test('what asks to come again, or is a fault of ours, is not kept', async () => {
  for (const status of [401, 429, 500, 503]) {
    const key = `status ${status}`;
    await once(key, async () => ({ status, text: 'no' }));
    assert.equal((await once(key, async () => ({ status: 201, text: 'yes' }))).text, 'yes');
  }
});

test('a call with a key that is in use is refused, or waits for the response when it is patient', async () => {
  const [isRunning, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = once('in use', async () => {
    isRunning.resolve();
    await end.promise;
    return { status: 201, text: 'the first' };
  });
  await isRunning.promise;
  await assert.rejects(
    once('in use', async () => assert.fail('it ran')),
    { code: 'in_progress' },
  );
  const patient = { ...asked('in use'), isPatient: true };
  const second = runIdempotently(db, patient, new Date(), async () => assert.fail('it ran'));
  end.resolve();
  assert.equal((await first).isReplayed, false);
  assert.deepEqual(await second, { status: 201, text: 'the first', isReplayed: true });
});

test('answers are sealed anew when the keys are rotated', async () => {
  await once('sealed', async () => ({ status: 201, text: 'the first' }));
  const keys = env().SECRET_KEYS;
  keys.unshift({ id: 'newer', key: Buffer.alloc(32, 7) });
  const { unreadable, renewed } = (await rotateKeys(db))['answers to programs']!;
  assert.deepEqual([unreadable, renewed > 0], [0, true]);
  const before = keys.splice(1);
  const { text } = await once('sealed', async () => assert.fail('is not done again'));
  assert.equal(text, 'the first');
  keys.push(...before);
  keys.shift();
});
