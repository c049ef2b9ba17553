import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Actor } from '#app/domain/platform/actor.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { presentPost } from '#app/domain/posts/present.ts';
import { isEligible, isItsTurn } from '#app/domain/publishing/eligibility/eligibility.ts';
import { publishNow } from '#app/domain/publishing/manual/publish-now.ts';
import { sendBatch } from '#app/domain/publishing/send/batch-sender.ts';
import { claimPost } from '#app/domain/publishing/send/claim.ts';
import { publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { makeAttempt } from '#tests/fixtures/attempts.ts';
import {
  findQueued,
  makePublisher,
  makeScheduledPost,
  readPost,
  standAs,
  takeOut,
} from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const MINUTE = 60_000;
const later = (minutes: number) => new Date(Date.now() + minutes * MINUTE);
const publisher = () => makePublisher(db, outside.url);

const late = (actor: Actor, minutes: number) => makeScheduledPost(db, actor, { dueAt: later(-minutes) });

/** Whether the post has its turn, as the tick, the claim and the last look ask. */
async function hasItsTurn(postId: string): Promise<boolean> {
  const { rows } = await sql`
    select from post_schedules join posts on posts.id = post_schedules.post_id
    where posts.id = ${postId} and ${isItsTurn(new Date())} and ${isEligible(new Date())}`.execute(db);
  return rows.length > 0;
}

/** An attempt that began so many minutes ago, and what became of it. */
async function attempted(
  actor: Actor,
  postId: string,
  minutes: number,
  state: 'unknown' | 'held' | 'refused',
) {
  const [startedAt, resolvedAt] = [later(-minutes), state === 'unknown' ? null : later(-minutes)];
  await makeAttempt(db, actor, postId, { state, startedAt, resolvedAt });
}

const out = async (postId: string, minutes: number) => {
  await takeOut(db, postId);
  await standAs(db, postId, { status: 'published', postedAt: later(-minutes) });
};
const failed = async (actor: Actor, postId: string, minutes: number, state: 'held' | 'refused') => {
  await attempted(actor, postId, minutes, state);
  await takeOut(db, postId);
  await standAs(db, postId, { status: 'failed', isUnconfirmed: state === 'held' });
};

type Become = (actor: Actor, postId: string) => Promise<unknown>;

/** What may have become of an earlier post, and whether a late one waits for it. */
const EARLIER: [string, 'waits' | 'goes', Become][] = [
  ['still has to go', 'waits', async () => {}],
  ['is at a worker that may be dead', 'waits', (_, id) => claimPost(db, id)],
  ['is put off for ten minutes', 'waits', (_, id) => standAs(db, id, { notBefore: later(10) })],
  ['is put off for hours', 'goes', (_, id) => standAs(db, id, { notBefore: later(120) })],
  ['is held', 'goes', (_, id) => standAs(db, id, { heldAt: new Date() })],
  ['waits for approval', 'goes', (_, id) => standAs(db, id, { status: 'pending' })],
  ['is too late for its time', 'goes', (_, id) => standAs(db, id, { dueAt: later(-200) })],
  ['was sent by hand', 'waits', (_, id) => standAs(db, id, { isManual: true })],
  ['is being sent or confirmed', 'waits', (actor, id) => attempted(actor, id, 2, 'unknown')],
  ['went out 14 minutes ago', 'waits', (_, id) => out(id, 14)],
  ['went out 16 minutes ago', 'goes', (_, id) => out(id, 16)],
  ['was not confirmed 14 minutes ago', 'waits', (actor, id) => failed(actor, id, 14, 'held')],
  ['was not confirmed 16 minutes ago', 'goes', (actor, id) => failed(actor, id, 16, 'held')],
  ['was refused a minute ago', 'goes', (actor, id) => failed(actor, id, 1, 'refused')],
];

for (const [what, then, become] of EARLIER) {
  test(`when an earlier post of its user ${what}, a late post ${then}, and no other user's does`, async () => {
    const [actor, other] = [await publisher(), await publisher()];
    const earlier = await late(actor, 40);
    const [post, another] = [await late(actor, 20), await late(other, 20)];
    await become(actor, earlier);
    assert.equal(await hasItsTurn(post), then === 'goes');
    assert.equal(await hasItsTurn(another), true);
  });
}

test('what is on time stands, however close, and what is sent by hand goes at once', async () => {
  const actor = await publisher();
  const [first, second] = [await late(actor, 0.7), await late(actor, 0.1)];
  const [old, byHand] = [await late(actor, 30), await makeScheduledPost(db, actor, { dueAt: later(600) })];
  assert.deepEqual([await hasItsTurn(first), await hasItsTurn(second)], [true, true]);
  await publishNow(db, actor, byHand);
  assert.equal(await hasItsTurn(byHand), true);
  await publishPost(db, byHand);
  assert.equal((await readPost(db, byHand)).status, 'published');
  assert.equal(await hasItsTurn(old), false, 'a late one keeps its distance from it');
  assert.equal(await hasItsTurn(first), true);
});

test('one of several late posts goes, with a job of its own or together with others', async () => {
  const [alone, together] = [await publisher(), await publisher()];
  const of = async (actor: Actor) => [await late(actor, 50), await late(actor, 40), await late(actor, 30)];
  const [own, shared] = [await of(alone), await of(together)];
  await Promise.all(own.toReversed().map((id) => publishPost(db, id)));
  await publishPost(db, own[0]!);
  await enqueueDuePosts(db);
  await sendBatch(db, 0);
  for (const ids of [own, shared]) {
    const statuses = await Promise.all(ids.map(async (id) => (await readPost(db, id)).status));
    assert.deepEqual(statuses, ['published', 'generated', 'generated']);
  }
});

test('a job that comes before the turn of its post leaves it to the tick of that minute', async () => {
  const actor = await publisher();
  await out(await late(actor, 40), 5);
  const post = await late(actor, 20);
  await standAs(db, post, { enqueuedAt: new Date() });
  await publishPost(db, post);
  assert.equal((await findQueued(db, post))!.enqueuedAt, null);
});

test('what may not go is held without waiting its turn', async () => {
  const actor = await publisher();
  const ids = [await late(actor, 50), await late(actor, 40), await late(actor, 30)];
  await saveSettings(db, actor, { enabled: false });
  await enqueueDuePosts(db);
  for (const id of ids) assert.ok((await findQueued(db, id))!.heldAt);
});

test('what waits its turn until it is too late for its time moves, with its mail', async () => {
  const actor = await publisher();
  await out(await late(actor, 200), 5);
  const post = await late(actor, 179);
  assert.equal(await hasItsTurn(post), false);
  await standAs(db, post, { dueAt: later(-181) });
  await publishPost(db, post);
  assert.ok((await findQueued(db, post))!.dueAt > new Date());
  const mails = await db
    .selectFrom('mails')
    .select('id')
    .where('kind', '=', 'postMoved')
    .where('userId', '=', actor.userId)
    .execute();
  assert.equal(mails.length, 1);
});

test('its owner reads when it goes out about, and when that is too late for its time', async () => {
  const actor = await publisher();
  await out(await late(actor, 60), 5);
  const [first, second, last] = [await late(actor, 50), await late(actor, 40), await late(actor, 175)];
  const turnOf = async (id: string) => presentPost(await findPost(db, actor, id), 'UTC').turn;
  const near = (turn: Awaited<ReturnType<typeof turnOf>>, minutes: number) =>
    assert.ok(Math.abs(Date.parse(turn!.iso) - later(minutes).getTime()) < MINUTE / 2, `${turn?.at}`);
  near(await turnOf(last), 10);
  near(await turnOf(first), 25);
  near(await turnOf(second), 40);
  assert.deepEqual([(await turnOf(last))!.isLateThen, (await turnOf(first))!.isLateThen], [true, false]);
  assert.equal(await turnOf(await late(actor, 0.5)), null);
});
