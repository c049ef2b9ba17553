import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { transact } from '#app/db/client.ts';
import { databaseClock } from '#app/db/clock.ts';
import type { AttemptState } from '#app/db/tables.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { CALL_WITHIN_MS, LEASE_LEFT_MS } from '#app/domain/publishing/eligibility/timings.ts';
import {
  beginConfirmation,
  CONFIRM_AFTER_MS,
  CONFIRM_BEFORE_MS,
} from '#app/domain/publishing/outcome/confirm.ts';
import { settle } from '#app/domain/publishing/outcome/settle.ts';
import type { DatabaseIdentity } from '#app/domain/publishing/predicates.ts';
import { beatEpoch, readIdentity, releaseEpoch } from '#app/domain/publishing/safety/epoch.ts';
import { beginAttempt, writeAttempts } from '#app/domain/publishing/send/attempt.ts';
import { sendAttempt } from '#app/domain/publishing/send/call.ts';
import { claimPost, lockQueuedPost } from '#app/domain/publishing/send/claim.ts';
import { sweepAttempts } from '#app/domain/publishing/sweep.ts';
import { env } from '#app/env.ts';
import { authorOf, connectLinkedIn } from '#tests/fixtures/linkedin.ts';
import { makePublisher, makeScheduledPost } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { atTheDoor, problem } from '#tests/harness/outside/linkedin-responses.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const SECOND = 1_000;
const later = (ms: number) => new Date(Date.now() + ms);

/** A claimed post; `begin` writes its attempt, where that is allowed. */
async function claimed(imageUrl?: string) {
  const actor = await makePublisher(db, outside.url);
  const postId = await makeScheduledPost(db, actor, { dueAt: later(-SECOND), imageUrl });
  const claim = (await claimPost(db, postId))!;
  const author = await authorOf(db, claim.userId);
  const begin = async (known?: DatabaseIdentity) =>
    beginAttempt(db, claim, author, known ?? (await readIdentity(db)));
  type Delivery = { dueAt?: Date; heldAt?: Date | null; leaseUntil?: Date; leaseToken?: string };
  const delivery = (set: Delivery) =>
    db.updateTable('postSchedules').set(set).where('postId', '=', postId).execute();
  const post = (set: { [name in 'imageUrl' | 'imageUrn' | 'imageAuthorUrn']?: string | null }) =>
    db.updateTable('posts').set(set).where('id', '=', postId).execute();
  return { actor, postId, claim, begin, delivery, post };
}

/** A post whose attempt is unknown; `resend` writes the attempt that confirms it, where that is allowed. */
async function unknown(ageMs = 60 * SECOND) {
  const { actor, postId, begin } = await claimed();
  const publication = (await begin())!;
  await settle(db, publication, { kind: 'unknown', message: 'reset', status: null });
  const age = (ms: number) =>
    db
      .updateTable('publishAttempts')
      .set({ startedAt: later(-ms) })
      .where('id', '=', publication.id)
      .execute();
  await age(ageMs);
  const attempt = (set: { state?: AttemptState; imageUrn?: string | null; resolvedAt?: Date | null }) =>
    db.updateTable('publishAttempts').set(set).where('id', '=', publication.id).execute();
  const resend = async (known?: DatabaseIdentity) =>
    beginConfirmation(
      db,
      { id: publication.id, userId: actor.userId, postId },
      known ?? (await readIdentity(db)),
    );
  return { actor, postId, age, attempt, resend };
}

/** One beat further than the database is: what a process knows of which a tail was lost. */
async function ahead(): Promise<DatabaseIdentity> {
  const { epoch, beat } = await db.selectFrom('publishingEpoch').selectAll().executeTakeFirstOrThrow();
  const { server } = await readIdentity(db);
  return { server, epoch, beat: String(Number(beat) + 1) };
}

test('an attempt is written only under the lease of its claim', async () => {
  const { claim, begin, delivery } = await claimed();
  await delivery({ leaseToken: String(Number(claim.leaseToken) + 1) });
  assert.equal(await begin(), undefined);
  await delivery({ leaseToken: claim.leaseToken });
  assert.ok(await begin());
});

test('an attempt is written only while enough is left of its lease', async () => {
  const { begin, delivery } = await claimed();
  await delivery({ leaseUntil: later(LEASE_LEFT_MS - 2 * SECOND) });
  assert.equal(await begin(), undefined);
  await delivery({ leaseUntil: later(LEASE_LEFT_MS + 20 * SECOND) });
  assert.ok(await begin());
});

test('an attempt is not written at a post that is held since its claim', async () => {
  const { begin, delivery } = await claimed();
  await delivery({ heldAt: new Date() });
  assert.equal(await begin(), undefined);
  await delivery({ heldAt: null });
  assert.ok(await begin());
});

test('an attempt is not written at a post that has got a later time since its claim', async () => {
  const { begin, delivery } = await claimed();
  await delivery({ dueAt: later(60 * SECOND) });
  assert.equal(await begin(), undefined);
  await delivery({ dueAt: later(-SECOND) });
  assert.ok(await begin());
});

test('an attempt is not written at a post that has got a picture, or another one, since its claim', async () => {
  const { begin, post } = await claimed();
  await post({ imageUrl: 'https://images.example/new.png' });
  assert.equal(await begin(), undefined);
  await post({ imageUrl: null });
  assert.ok(await begin());
});

test('an attempt is not written where the picture that was handed over is not kept at the post', async () => {
  const { claim, post, begin } = await claimed('https://images.example/same.png');
  claim.imageUrn = 'urn:li:image:handed-over';
  assert.equal(await begin(), undefined);
  await post({ imageUrn: claim.imageUrn, imageAuthorUrn: 'urn:li:person:x' });
  assert.equal((await begin())?.imageUrn, claim.imageUrn);
});

test('an attempt without a lease is written only where no worker has the post', async () => {
  const { postId, claim, delivery } = await claimed();
  const known = await readIdentity(db);
  const body = 'A text';
  const authorUrn = await authorOf(db, claim.userId);
  const wanted = { ...claim, postId, body, authorUrn, leaseToken: null };
  const begin = () =>
    transact(db, async (trx) => {
      await lockQueuedPost(trx, postId);
      return writeAttempts(trx, [wanted], known, databaseClock);
    });
  assert.deepEqual(await begin(), []);
  await delivery({ leaseUntil: later(-SECOND) });
  assert.equal((await begin()).length, 1);
});

test('an attempt whose call has not begun in time is not sent', async () => {
  const { begin } = await claimed();
  const publication = (await begin())!;
  const access = { token: 'x', authorUrn: publication.authorUrn, tokenSealed: 'x', isFresh: false };
  const asked = await atTheDoor({}, async () => {
    assert.equal(await sendAttempt(db, publication, access, () => CALL_WITHIN_MS + 1), 'not_sent');
  });
  assert.deepEqual(asked, []);
});

test('an attempt whose version was refused is not sent again with the next one when the time is over', async () => {
  const { begin } = await claimed();
  const publication = (await begin())!;
  const access = { token: 'x', authorUrn: publication.authorUrn, tokenSealed: 'x', isFresh: false };
  const before = env().LINKEDIN_VERSIONS;
  env().LINKEDIN_VERSIONS = ['202607', '202608'];
  let calls = 0;
  const asked = await atTheDoor({ create: [problem(426, 'NONEXISTENT_VERSION')] }, () =>
    sendAttempt(db, publication, access, () => (calls++ === 0 ? 0 : CALL_WITHIN_MS + 1)),
  ).finally(() => {
    env().LINKEDIN_VERSIONS = before;
  });
  assert.equal(asked.length, 1);
});

test('an attempt is not written at a post that was deleted after its claim', async () => {
  const { postId, begin } = await claimed();
  const deleted = (deletedAt: Date | null) =>
    db.updateTable('posts').set({ deletedAt }).where('id', '=', postId).execute();
  await deleted(new Date());
  assert.equal(await begin(), undefined);
  await deleted(null);
  assert.ok(await begin());
});

test('two attempts at one post cannot both be under way, whatever the statements ask', async () => {
  const { actor, postId, begin } = await claimed();
  await begin();
  const second = { postId, userId: actor.userId, attempt: 2, authorUrn: 'urn', body: 'x', leaseToken: '1' };
  await assert.rejects(
    db.insertInto('publishAttempts').values(second).execute(),
    /publish_attempts_one_sending/,
  );
});

test('a resend is written inside the window alone', async () => {
  const { age, resend } = await unknown();
  for (const outsideOf of [CONFIRM_AFTER_MS - 2 * SECOND, CONFIRM_BEFORE_MS + 2 * SECOND]) {
    await age(outsideOf);
    assert.equal(await resend(), undefined);
  }
  await age(CONFIRM_BEFORE_MS - 20 * SECOND);
  assert.ok(await resend());
});

test('a resend is written for an attempt alone of which nobody knows what became', async () => {
  const { attempt, resend } = await unknown();
  for (const settled of [{ state: 'held' as const }, { resolvedAt: new Date() }]) {
    await attempt(settled);
    assert.equal(await resend(), undefined);
    await attempt({ state: 'unknown', resolvedAt: null });
  }
  assert.ok(await resend());
});

test('a resend is not written for an attempt with a picture', async () => {
  const { attempt, resend } = await unknown();
  await attempt({ imageUrn: 'urn:li:image:1' });
  assert.equal(await resend(), undefined);
  await attempt({ imageUrn: null });
  assert.ok(await resend());
});

test('a resend waits for the publishing switch', async () => {
  const { resend } = await unknown();
  const pause = (pausedUntil: Date | null) =>
    db.updateTable('publishingPause').set({ pausedUntil }).execute();
  await pause(later(60 * SECOND));
  const held = await resend();
  await pause(null);
  assert.equal(held, undefined);
  assert.ok(await resend());
});

for (const [what, wish] of [
  ['has paused', sql`update automation_settings set is_enabled = false where user_id =`],
  [
    'has no plan',
    sql`update payments set starts_at = now() - interval '40 days', ends_at = now() - interval '1 second' where user_id =`,
  ],
  ['is not connected', sql`update linkedin_connections set status = 'expired' where user_id =`],
  ['has deleted the post', sql`update posts set deleted_at = now() where user_id =`],
] as const) {
  test(`a resend is not written for an owner who ${what}`, async () => {
    const { actor, resend } = await unknown();
    await sql`${wish} ${actor.userId}`.execute(db);
    assert.equal(await resend(), undefined);
  });
}

test('neither an attempt nor a resend is written where a tail of the database is missing', async () => {
  const [{ begin }, { resend }] = [await claimed(), await unknown()];
  assert.equal(await begin(await ahead()), undefined);
  assert.ok(await begin());
  assert.equal(await resend(await ahead()), undefined);
  assert.ok(await resend());
});

for (const shift of [5 * SECOND, -5 * SECOND]) {
  test(`neither an attempt nor a resend is written by a clock that is off by ${shift} ms`, async (t) => {
    const [{ begin }, { resend }] = [await claimed(), await unknown()];
    const known = await readIdentity(db);
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + shift });
    assert.equal(await begin(known), undefined);
    assert.equal(await resend(known), undefined);
    t.mock.timers.reset();
    assert.ok(await begin());
    assert.ok(await resend());
  });
}

test('neither an attempt nor a resend is written as a member whose account is connected no more', async () => {
  const [first, second] = [await claimed(), await unknown()];
  await connectLinkedIn(db, first.actor, outside.url);
  await connectLinkedIn(db, second.actor, outside.url);
  assert.equal(await first.begin(), undefined);
  assert.equal(await second.resend(), undefined);
});

test('neither an attempt nor a resend is written, and nobody is told of one, by a clock that was set back', async () => {
  const [{ begin }, { resend, postId, actor }] = [await claimed(), await unknown()];
  const beatAt = (at: Date) => db.updateTable('publishingEpoch').set({ beatAt: at }).execute();
  const faults = async () =>
    (await db.selectFrom('operatorAlerts').select('key').where('key', '=', 'clock-set-back').execute())
      .length;
  await beatAt(later(11 * 60 * SECOND));
  await beatEpoch(db);
  assert.equal(await begin(), undefined);
  assert.equal(await resend(), undefined);
  await sweepAttempts(db, later(11 * 60 * SECOND));
  assert.equal((await findPost(db, actor, postId)).status, 'generated');
  assert.equal(await faults(), 1);
  await releaseEpoch(db);
  assert.equal(await faults(), 0);
  assert.ok(await begin());
  assert.equal(await resend(), undefined, 'nobody knows how long ago the first was sent');
  assert.equal((await findPost(db, actor, postId)).isUnconfirmed, true);
});
