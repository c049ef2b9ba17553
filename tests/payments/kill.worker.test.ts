import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import { endPlans } from '#app/domain/payments/subscription/expiry.ts';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { endPlanAt, makePayment, makePlan } from '#tests/fixtures/payments.ts';
import { serveSockets, startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWire } from '#tests/harness/worker/network-proxy.ts';
import { type Stage, setStage } from '#tests/harness/worker/stage.ts';
import { until } from '#tests/harness/worker/until.ts';

const outside = await startOutside();
const wire = await startWire(outside.url);
const MINUTES = 6;

/** A mail server that takes so many mails, and then connections without a word. */
async function mailServer(takes: number) {
  const { hostname, port, search } = new URL(outside.smtpUrl);
  let asked = 0;
  const host = await serveSockets((near) => {
    if (asked++ >= takes) return;
    const far = connect(Number(port), hostname).on('error', () => near.destroy());
    near.on('close', () => far.destroy()).pipe(far);
    far.on('close', () => near.destroy()).pipe(near);
  });
  return { url: `smtp://${host}${search}`, asked: () => asked };
}

/** A payment that was submitted and verified, with every mail of it, and no other one, still to be sent. */
async function verified({ db }: Stage) {
  await db.deleteFrom('mails').execute();
  await db.updateTable('users').set({ role: 'user' }).execute();
  const [payer, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })];
  await makeUser(db, { isAdmin: true });
  const { id } = await makePayment(db, payer, 2);
  await verifyPayment(db, admin, id);
  return { id, payer };
}

const mailsOf = ({ db }: Stage) =>
  db.selectFrom('mails').select(['id', 'kind', 'sentAt', 'toAddress']).orderBy('kind').execute();

/** How often each mail has arrived, by its Message-ID, and what kind it is of. */
async function arrivals(stage: Stage) {
  const counted: [string, number][] = [];
  for (const { id, kind, toAddress } of await mailsOf(stage)) {
    const { mails } = await outside.mails(toAddress);
    counted.push([kind, mails.filter(({ messageId }) => messageId.includes(id)).length]);
  }
  return counted;
}

async function allSent(t: TestContext, stage: Stage) {
  await stage.worker();
  const count = await stage.minutes(MINUTES, async () =>
    (await mailsOf(stage)).every(({ sentAt }) => sentAt !== null),
  );
  t.diagnostic(`after ${count} minutes`);
  assert.ok(count < MINUTES, `${count} minutes`);
}

for (const takes of [0, 1, 2, 3]) {
  test(`killed when ${takes} of the four mails of a verified payment are out: each arrives once`, async (t) => {
    const stage = await setStage(t, outside, wire);
    await verified(stage);
    const server = await mailServer(takes);
    const victim = await stage.worker({ SMTP_URL: server.url });
    const out = async () => (await mailsOf(stage)).filter(({ sentAt }) => sentAt !== null).length;
    await until('so many are out', async () => (await out()) === takes && server.asked() > takes);
    await stage.kill(victim);
    assert.equal(await out(), takes);
    await allSent(t, stage);
    assert.deepEqual(await arrivals(stage), [
      ['paymentToVerify', 1],
      ['paymentToVerify', 1],
      ['paymentVerified', 1],
      ['proofReceived', 1],
    ]);
  });
}

test('killed when a mail was handed over and that is not written: it comes again as the same mail, the others once', async (t) => {
  const stage = await setStage(t, outside, wire);
  await verified(stage);
  const held = await stage.gate('before update on mails', `new.kind = 'paymentVerified'`);
  const victim = await stage.worker();
  await victim.blocked();
  await until('the others are out', async () => {
    return (await mailsOf(stage)).filter(({ sentAt }) => sentAt !== null).length === 3;
  });
  await stage.kill(victim);
  await held.release();
  await allSent(t, stage);
  assert.deepEqual(await arrivals(stage), [
    ['paymentToVerify', 1],
    ['paymentToVerify', 1],
    ['paymentVerified', 2],
    ['proofReceived', 1],
  ]);
});

test('killed while a renewal lets go what was held: it goes on with the next worker, once', async (t) => {
  const stage = await setStage(t, outside, wire);
  const { db, actor, pool } = stage;
  const post = await stage.duePost();
  await endPlanAt(db, actor, new Date(Date.now() - 60_000));
  assert.equal(await endPlans(db), 1);
  await pool.query('delete from graphile_worker._private_jobs');
  const worker = await stage.worker();
  let looks = 0;
  await stage.minutes(3, async () => ++looks === 3);
  assert.equal((await stage.read(post)).post.status, 'generated', 'held without a plan');
  await stage.kill(worker);
  await makePlan(db, actor, 1);
  const held = await stage.gate('before update on post_schedules');
  const victim = await stage.worker();
  await victim.blocked();
  await stage.kill(victim);
  await held.release();
  await stage.worker();
  const goesOn = async () => {
    const { delivery, post: row } = await stage.read(post);
    return row.status === 'published' || (delivery?.dueAt ?? new Date(0)) > new Date();
  };
  const count = await stage.minutes(MINUTES, goesOn);
  assert.ok(count < MINUTES, `${count} minutes`);
  const { live, post: row } = await stage.read(post);
  assert.equal(live.length, row.status === 'published' ? 1 : 0);
});

test('delivered twice, the mails and the plan of a payment are as they were', async (t) => {
  const stage = await setStage(t, outside, wire);
  const { payer, id } = await verified(stage);
  const worker = await stage.worker();
  await stage.allDone();
  const plan = () =>
    stage.db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const before = await plan();
  await stage.db.transaction().execute(async (trx) => {
    for (const { id: mailId } of await mailsOf(stage)) await enqueue(trx, jobs.sendMail, { mailId });
    await enqueue(trx, jobs.refitQueue, { userId: payer.userId });
  });
  await stage.allDone();
  assert.deepEqual(
    (await arrivals(stage)).map(([, count]) => count),
    [1, 1, 1, 1],
  );
  assert.deepEqual(await plan(), before);
  worker.signal('SIGTERM');
  assert.equal(await worker.ended, 0, worker.output());
});
