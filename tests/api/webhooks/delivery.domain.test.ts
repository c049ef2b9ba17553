import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Db, transact } from '#app/db/client.ts';
import { findUnsentMail, listUnsentMails } from '#app/domain/email/outbox.ts';
import { disableAccount } from '#app/domain/operations/disable-account.ts';
import { rotateKeys } from '#app/domain/operations/rotate-keys.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatInMail } from '#app/domain/platform/dates.ts';
import { resumeWebhooks, sendWebhooks } from '#app/domain/webhooks/deliver.ts';
import { deleteOldDeliveries, listDeliveries, resendDelivery } from '#app/domain/webhooks/deliveries.ts';
import {
  createWebhook,
  deleteOldSecrets,
  enableWebhook,
  listWebhooks,
  removeWebhook,
  rotateSecret,
} from '#app/domain/webhooks/endpoints.ts';
import {
  DELIVERIES_PER_DAY_MAX,
  RETRY_MINUTES,
  WEBHOOK_EVENT_NAMES,
  WEBHOOKS_MAX,
} from '#app/domain/webhooks/limits.ts';
import { WebhookInput } from '#app/domain/webhooks/schema.ts';
import { sendEventIfSubscribed, sendEvents } from '#app/domain/webhooks/send-events.ts';
import { mailsTo, makeUser } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { countSigned, startReceiver } from '#tests/harness/outside/webhook-receiver.ts';
import { withEnv } from '#tests/harness/with-env.ts';

process.env.ALLOW_PRIVATE_IMAGES = '1';
const { db, pool } = await testDatabase();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

async function setUp(actor?: Actor) {
  const owner = actor ?? (await makeUser(db));
  const receiver = await startReceiver();
  const made = await createWebhook(db, owner, { url: receiver.url, events: [...WEBHOOK_EVENT_NAMES] });
  return { owner, receiver, ...made, id: made.webhook.id };
}

const tell = (owner: Actor, nth = 1, from: Db = db) =>
  transact(from, (trx) =>
    sendEvents(trx, 'post.published', [{ userId: owner.userId, data: { post: { _id: `post-${nth}` } } }]),
  );

async function rowsOf(owner: Actor, id: string) {
  return (await listDeliveries(db, owner, id, { limit: 50 })).rows;
}

/** Sends the newest thing that an address is told, at an instant. */
async function send(owner: Actor, id: string, now?: Date, rules = {}) {
  const [newest] = await rowsOf(owner, id);
  await sendWebhooks(db, newest!.id, { ...(now && { now }), rules });
  return (await rowsOf(owner, id))[0]!;
}

const jobsFor = async (deliveryId: string) =>
  (
    await pool.query('select run_at from graphile_worker.jobs where key = $1', [`webhook:${deliveryId}`])
  ).rows.map(({ run_at }) => run_at as Date);

test('what happens is posted with its signature, and its answer is kept', async () => {
  const { owner, receiver, secret, id } = await setUp();
  receiver.answers((response) => response.writeHead(201).end(`thanks\0${'x'.repeat(5000)}`));
  await tell(owner);
  const row = await send(owner, id);
  const [event] = receiver.events();
  assert.deepEqual(Object.keys(event!), ['id', 'type', 'createdAt', 'data']);
  assert.deepEqual(
    [event!.id, event!.type, event!.data],
    [row.eventId, 'post.published', { post: { _id: 'post-1' } }],
  );
  const [got] = receiver.received;
  assert.equal(got!.headers['content-type'], 'application/json');
  assert.equal(countSigned(got!, secret), 1);
  assert.equal(countSigned(got!, `${secret}x`), 0);
  assert.deepEqual([row.lastStatus, row.attempts, row.nextAt, row.lastError], [201, 1, null, null]);
  assert.ok(row.deliveredAt);
  assert.match(row.lastAnswer!, /^thanksx+$/);
  assert.ok(row.lastAnswer!.length <= 2048);
  await sendWebhooks(db, row.id);
  assert.equal(receiver.received.length, 1, 'a job that comes twice sends once');
});

test('a transaction that is taken back tells nothing, and one that is not loses nothing', async () => {
  const { owner, id } = await setUp();
  await assert.rejects(
    transact(db, async (trx) => {
      await tell(owner, 1, trx);
      throw new Error('back');
    }),
    /back/,
  );
  assert.deepEqual(await rowsOf(owner, id), []);
  await tell(owner);
  const [row] = await rowsOf(owner, id);
  assert.equal((await jobsFor(row!.id)).length, 1);
});

test('nothing is asked or written for who has no program for it', async () => {
  const owner = await makeUser(db);
  await createWebhook(db, owner, { url: 'http://127.0.0.1:9/', events: ['post.failed'] });
  let asked = 0;
  const describe = async () => {
    asked += 1;
    return {};
  };
  await transact(db, (trx) => sendEventIfSubscribed(trx, owner.userId, 'payment.verified', describe));
  assert.equal(asked, 0);
  await transact(db, (trx) => sendEventIfSubscribed(trx, owner.userId, 'post.failed', describe));
  assert.equal(asked, 1);
});

test('all addresses of a user are told with one id, and nobody else is', async () => {
  const one = await setUp();
  const other = await setUp(one.owner);
  const stranger = await setUp();
  await tell(one.owner);
  const ids = await Promise.all(
    [one, other].map(async ({ owner, id }) => (await rowsOf(owner, id))[0]!.eventId),
  );
  assert.equal(ids[0], ids[1]);
  assert.deepEqual(await rowsOf(stranger.owner, stranger.id), []);
});

test('what is not taken is sent again after 1, 5 and 30 minutes and 2, 6 and 12 hours, then given up', async () => {
  const { owner, receiver, id } = await setUp();
  receiver.answers((response) => response.writeHead(500).end('broken'));
  await tell(owner);
  let [row] = await rowsOf(owner, id);
  let now = row!.nextAt!;
  for (const minutes of [1, 5, 30, 120, 360, 720]) {
    row = await send(owner, id, now);
    const next = new Date(now.getTime() + minutes * MINUTE);
    assert.deepEqual([row.nextAt, row.givenUpAt, row.lastStatus], [next, null, 500]);
    assert.deepEqual(await jobsFor(row.id), [next]);
    await sendWebhooks(db, row.id, { now: new Date(next.getTime() - 1000) });
    assert.equal(receiver.received.length, row.attempts, 'not before its time');
    now = next;
  }
  row = await send(owner, id, now);
  assert.deepEqual([row.nextAt, row.givenUpAt, row.attempts], [null, now, RETRY_MINUTES.length + 1]);
  assert.equal(new Set(receiver.events().map((event) => event.id)).size, 1);
  assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1);
});

test('a success ends the row of failures', async () => {
  const { owner, receiver, id } = await setUp();
  receiver.answers((response, nth) => response.writeHead(nth === 1 ? 503 : 204).end());
  await tell(owner);
  await send(owner, id);
  assert.ok((await listWebhooks(db, owner))[0]!.failingSince);
  await send(owner, id, new Date(Date.now() + 2 * MINUTE));
  assert.equal((await listWebhooks(db, owner))[0]!.failingSince, null);
});

test('a redirect is not followed, it is a failure', async () => {
  const { owner, receiver, id } = await setUp();
  const elsewhere = await startReceiver();
  receiver.answers((response) => response.writeHead(301, { Location: elsewhere.url }).end());
  await tell(owner);
  const row = await send(owner, id);
  assert.deepEqual([row.lastStatus, row.deliveredAt, row.attempts], [301, null, 1]);
  assert.equal(elsewhere.received.length, 0);
});

test('the time for the whole is limited, also of a server that sends nothing and of one that ends never', async () => {
  const { owner, receiver, id } = await setUp();
  receiver.answers(() => {});
  await tell(owner);
  const began = performance.now();
  const row = await send(owner, id, undefined, { timeoutMs: 200 });
  assert.ok(performance.now() - began < 2000);
  assert.deepEqual([row.lastStatus, row.lastError], [null, 'It did not answer within 0.2 seconds']);
  receiver.answers((response) => response.writeHead(200).write('a'));
  const taken = await send(owner, id, row.nextAt!, { timeoutMs: 200 });
  assert.deepEqual([taken.lastStatus, taken.lastAnswer], [200, 'a']);
  assert.ok(taken.deliveredAt);
});

test('an answer without an end is read as far as it is kept', async () => {
  const { owner, receiver, id } = await setUp();
  receiver.answers((response) => {
    const more = () => !response.destroyed && response.write('x'.repeat(1024), () => setTimeout(more, 5));
    more();
  });
  await tell(owner);
  const began = performance.now();
  const row = await send(owner, id, undefined, { timeoutMs: 5000 });
  assert.ok(performance.now() - began < 2500, 'nobody waits for the end');
  assert.equal(row.lastAnswer!.length, 2048);
});

test('addresses that are not public are refused, and names that resolve to one are not called', async () => {
  const { owner, receiver, id } = await setUp();
  const refused = (url: string) =>
    assert.rejects(createWebhook(db, owner, { url, events: ['post.failed'] }), (error: Error) => {
      assert.deepEqual([(error as never as { status: number }).status, error.name], [422, 'Refusal']);
      return true;
    });
  await withEnv({ ALLOW_PRIVATE_IMAGES: false }, async () => {
    for (const host of ['169.254.169.254', '10.0.0.1', 'localhost', 'x.localhost', '[::1]', '2130706433'])
      await refused(`https://${host}/`);
    for (const url of [
      'http://hooks.example.com/',
      'https://hooks.example.com:8443/',
      'https://a:b@x.example/',
    ])
      await refused(url);
    await refused('no address');
  });
  const isAllowed = (address: string) => address !== '127.0.0.1';
  await tell(owner);
  const private_ = [{ address: '127.0.0.1', family: 4 }];
  const port = new URL(receiver.url).port;
  await db
    .updateTable('webhookEndpoints')
    .set({ url: `http://hooks.example:${port}/` })
    .where('id', '=', id)
    .execute();
  const row = await send(owner, id, undefined, {
    isAllowed,
    lookup: (_: string, done: (error: null, found: object[]) => void) => done(null, private_),
  });
  assert.deepEqual([row.lastStatus, row.lastError], [null, 'It could not be reached']);
  let asked = 0;
  // Allowed as it resolves, and not any more as it was dialled.
  const rebinding = { isAllowed: () => asked++ === 0, lookup: (_: string, done: never) => reply(done) };
  const reply = (done: (error: null, found: object[]) => void) => done(null, private_);
  const again = await send(owner, id, row.nextAt!, rebinding);
  assert.deepEqual([again.lastStatus, asked], [null, 2]);
  assert.equal(receiver.received.length, 0);
});

test('a worker that was killed between the answer and its row has it sent again, with the same id', async () => {
  const { owner, receiver, id } = await setUp();
  await tell(owner);
  const [row] = await rowsOf(owner, id);
  // As a worker leaves it that has sent and not written: under its lease, and its job gone.
  const leased = new Date(Date.now() + 3 * MINUTE);
  await db.updateTable('webhookEndpoints').set({ leasedUntil: leased }).where('id', '=', id).execute();
  await pool.query('select graphile_worker.remove_job($1)', [`webhook:${row!.id}`]);
  await sendWebhooks(db, row!.id);
  await resumeWebhooks(db, new Date(leased.getTime() - 1000));
  assert.deepEqual(
    [receiver.received.length, (await jobsFor(row!.id)).length],
    [0, 0],
    'it may be at it still',
  );
  const later = new Date(leased.getTime() + MINUTE);
  await resumeWebhooks(db, later);
  assert.equal((await jobsFor(row!.id)).length, 1);
  await sendWebhooks(db, row!.id, { now: later });
  assert.equal(receiver.events()[0]!.id, row!.eventId);
  assert.equal((await listWebhooks(db, owner))[0]!.failingSince, null);
});

test('one job is at an address at a time, with a few calls at once, and has the rest done', async () => {
  const { owner, receiver, id } = await setUp();
  let open = 0;
  let most = 0;
  receiver.answers((response) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      response.end();
    }, 50);
  });
  for (let nth = 1; nth <= 10; nth += 1) await tell(owner, nth);
  const rows = await rowsOf(owner, id);
  await Promise.all(rows.map((row) => sendWebhooks(db, row.id)));
  assert.ok(most > 1 && most <= 4, `${most} at once`);
  for (let round = 0; round < 3; round += 1) {
    const [next] = await db
      .selectFrom('webhookDeliveries')
      .select('id')
      .where('endpointId', '=', id)
      .where('nextAt', 'is not', null)
      .execute();
    if (next) await sendWebhooks(db, next.id);
  }
  assert.equal(receiver.received.length, 10);
});

async function mailsOf({ email }: Actor) {
  const mails = (await listUnsentMails(db, email)).map((id) => findUnsentMail(db, id));
  return (await Promise.all(mails)).filter((mail) => mail?.kind === 'webhookDisabled');
}

test('after 3 days of failures it is disabled, with one mail, and told nothing until it is enabled', async () => {
  const { owner, receiver, id } = await setUp();
  receiver.answers((response) => response.writeHead(500).end());
  await tell(owner);
  const first = await send(owner, id);
  const since = first.lastAt!.getTime();
  await tell(owner, 2);
  await send(owner, id, new Date(since + 3 * DAY - 1));
  assert.equal((await listWebhooks(db, owner))[0]!.disabledAt, null);
  await tell(owner, 3);
  await tell(owner, 4);
  const over = new Date(since + 3 * DAY + MINUTE);
  await send(owner, id, new Date(over.getTime() - 1));
  assert.equal((await listWebhooks(db, owner))[0]!.disabledAt, null, 'nothing was tried as often as it is');
  await db
    .updateTable('webhookDeliveries')
    .set({ attempts: RETRY_MINUTES.length, nextAt: over })
    .where('endpointId', '=', id)
    .where('nextAt', 'is not', null)
    .execute();
  await Promise.all([send(owner, id, over), send(owner, id, over)]);
  assert.deepEqual((await listWebhooks(db, owner))[0]!.disabledAt, over);
  const [mail, ...others] = await mailsOf(owner);
  assert.equal(others.length, 0);
  assert.equal((mail!.data as { since: string }).since, formatInMail(new Date(since), 'UTC'));
  for (const row of await rowsOf(owner, id)) assert.ok(row.givenUpAt, 'nothing waits');
  const calls = receiver.received.length;
  await tell(owner, 5);
  assert.equal((await rowsOf(owner, id)).length, 4);
  await assert.rejects(resendDelivery(db, owner, id, first.id), { code: 'webhook_disabled' });
  assert.equal(receiver.received.length, calls);

  const enabled = await enableWebhook(db, owner, id);
  assert.deepEqual([enabled.disabledAt, enabled.failingSince], [null, null]);
  receiver.answers((response) => response.end());
  await resendDelivery(db, owner, id, first.id, over);
  await sendWebhooks(db, first.id, { now: over });
  const again = (await rowsOf(owner, id)).find((row) => row.id === first.id)!;
  assert.deepEqual([again.deliveredAt, again.attempts], [over, 1]);
  assert.equal(receiver.events().at(-1)!.id, first.eventId);
  assert.equal((await mailsOf(owner)).length, 1);
});

test('what is sent again by hand while it is sent is sent once more', async () => {
  const { owner, receiver, id } = await setUp();
  await tell(owner);
  const [row] = await rowsOf(owner, id);
  const now = new Date(Date.now() + MINUTE);
  receiver.answers(async (response, nth) => {
    if (nth === 1) await resendDelivery(db, owner, id, row!.id, now);
    response.end();
  });
  await sendWebhooks(db, row!.id);
  assert.deepEqual((await rowsOf(owner, id))[0]!.nextAt, now);
  await sendWebhooks(db, row!.id, { now });
  assert.equal(receiver.received.length, 2);
  assert.ok((await rowsOf(owner, id))[0]!.deliveredAt);
});

test('an address is for its owner alone, and a delivery for its address', async () => {
  const { owner, id } = await setUp();
  const { owner: other, id: othersId } = await setUp();
  await tell(owner);
  const [row] = await rowsOf(owner, id);
  const before = await listWebhooks(db, owner);
  for (const act of [
    () => listDeliveries(db, other, id, { limit: 50 }),
    () => rotateSecret(db, other, id),
    () => enableWebhook(db, other, id),
    () => removeWebhook(db, other, id),
    () => resendDelivery(db, other, id, row!.id),
    () => resendDelivery(db, other, othersId, row!.id),
  ])
    await assert.rejects(act, { status: 404 });
  assert.deepEqual([await listWebhooks(db, owner), await rowsOf(owner, id)], [before, [row]]);
});

test('enabling what is not disabled forgets no failure', async () => {
  const { owner, receiver, id } = await setUp();
  receiver.answers((response) => response.writeHead(500).end());
  await tell(owner);
  await send(owner, id);
  const [failing] = await listWebhooks(db, owner);
  assert.ok(failing!.failingSince);
  assert.deepEqual(await enableWebhook(db, owner, id), failing);
});

test('for a day both secrets sign, then the new one alone, and keys that change have them sealed anew', async () => {
  const { owner, receiver, id, secret } = await setUp();
  const { secret: next, webhook } = await rotateSecret(db, owner, id);
  const signed = async (now?: Date) => {
    await tell(owner);
    await send(owner, id, now);
    return [secret, next].map((each) => countSigned(receiver.received.at(-1)!, each));
  };
  assert.deepEqual(await signed(), [1, 1]);
  const keys = ['new', 'local'].map((name, at) => ({ id: name, key: Buffer.alloc(32, at + 1) }));
  const { SECRET_KEYS } = (await import('#app/env.ts')).env();
  await withEnv({ SECRET_KEYS: [keys[0]!, ...SECRET_KEYS] }, async () => {
    const { 'secrets of webhooks': done } = await rotateKeys(db);
    assert.ok(done!.renewed > 0 && done!.unreadable === 0);
    const { rows } = await pool.query(
      `select distinct split_part(sealed, '.', 1) as key from (select secret_sealed as sealed from webhook_endpoints
       union all select previous_sealed from webhook_endpoints where previous_sealed is not null) each`,
    );
    assert.deepEqual(rows, [{ key: 'new' }]);
  });
  await withEnv({ SECRET_KEYS: [keys[0]!] }, async () => {
    assert.deepEqual(await signed(), [1, 1], 'with the new key alone');
    assert.deepEqual(await signed(webhook.previousUntil!), [0, 1]);
  });
  await deleteOldSecrets(db, webhook.previousUntil!);
  const { previousSealed } = await db
    .selectFrom('webhookEndpoints')
    .select('previousSealed')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  assert.equal(previousSealed, null);
});

test('an account that was stopped is sent nothing, and is told nothing more', async () => {
  const { owner, receiver, id } = await setUp();
  await tell(owner);
  const admin = await makeUser(db, { isAdmin: true });
  await disableAccount(db, admin, { userId: owner.userId, reason: 'Abuse' });
  const later = new Date(Date.now() + 5 * MINUTE);
  const [row] = await rowsOf(owner, id);
  await sendWebhooks(db, row!.id, { now: later });
  await pool.query('select graphile_worker.remove_job($1)', [`webhook:${row!.id}`]);
  await resumeWebhooks(db, later);
  assert.deepEqual([receiver.received.length, (await jobsFor(row!.id)).length], [0, 0]);
  await transact(db, (trx) => sendEventIfSubscribed(trx, owner.userId, 'post.failed', async () => ({})));
  assert.equal((await rowsOf(owner, id)).length, 1);
});

test('what was told is kept for 30 days', async () => {
  const { owner, id } = await setUp();
  await tell(owner);
  const { createdAt } = (await rowsOf(owner, id))[0]!;
  await deleteOldDeliveries(db, new Date(createdAt.getTime() + 30 * DAY));
  assert.equal((await rowsOf(owner, id)).length, 1);
  await deleteOldDeliveries(db, new Date(createdAt.getTime() + 30 * DAY + 1));
  assert.deepEqual(await rowsOf(owner, id), []);
});

test('an account has so many at most, also when they are added at once', async () => {
  const owner = await makeUser(db);
  let nth = 0;
  const add = (path = ++nth) =>
    createWebhook(db, owner, { url: `http://127.0.0.1:9/${path}`, events: ['post.failed'] });
  const done = await Promise.allSettled(Array.from({ length: WEBHOOKS_MAX + 3 }, add));
  assert.equal(done.filter(({ status }) => status === 'fulfilled').length, WEBHOOKS_MAX);
  await assert.rejects(add(), { code: 'too_many_webhooks' });
  const [first] = await listWebhooks(db, owner);
  await removeWebhook(db, owner, first!.id);
  await add(99);
  await removeWebhook(db, owner, (await listWebhooks(db, owner))[0]!.id);
  await assert.rejects(add(99), { code: 'webhook_exists' });
  assert.equal((await mailsTo(db, owner.email, 'webhookAdded')).length, WEBHOOKS_MAX + 1);
});

test('an address is kept as it is called', async () => {
  const owner = await makeUser(db);
  const url = 'http://127.0.0.1:9/a\0 b\ud800';
  const { webhook } = await createWebhook(db, owner, { url, events: ['post.failed'] });
  assert.equal(webhook.url, 'http://127.0.0.1:9/a%00%20b%EF%BF%BD');
});

test('what comes while an address is called is sent after it, though its own job has gone', async () => {
  const { owner, receiver, id } = await setUp();
  await tell(owner);
  const [first] = await rowsOf(owner, id);
  receiver.answers(async (response, nth) => {
    if (nth === 1) {
      await tell(owner, 2);
      await pool.query('delete from graphile_worker._private_jobs');
    }
    response.end();
  });
  await sendWebhooks(db, first!.id);
  const [second] = await rowsOf(owner, id);
  assert.notEqual(second!.id, first!.id);
  assert.equal((await jobsFor(second!.id)).length, 1);
});

test('an address that was told very much within a day is told no more, and others are', async () => {
  const { owner, id } = await setUp();
  const quiet = await setUp(owner);
  const rows = Array.from({ length: DELIVERIES_PER_DAY_MAX }, () => ({
    endpointId: id,
    eventId: crypto.randomUUID(),
    type: 'post.failed' as const,
    body: '{}',
    createdAt: new Date(),
    deliveredAt: new Date(),
  }));
  await db.insertInto('webhookDeliveries').values(rows).execute();
  await tell(owner);
  assert.equal((await rowsOf(owner, id))[0]!.type, 'post.failed');
  assert.equal((await rowsOf(owner, quiet.id)).length, 1);
});

test('the address and what it is told of are looked at before', () => {
  const wrong = (input: object) => assert.equal(WebhookInput.safeParse(input).success, false);
  const url = 'https://hooks.example.com/';
  wrong({ url, events: [] });
  wrong({ url, events: ['post.gone'] });
  wrong({ url: ' ', events: ['post.failed'] });
  wrong({ url: `${url}${'x'.repeat(2000)}`, events: ['post.failed'] });
  const twice = WebhookInput.parse({ url, events: ['post.failed', 'post.failed'] });
  assert.deepEqual(twice.events, ['post.failed']);
});
