import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { slotKeyOfPost } from '#app/domain/automation/slots.ts';
import { disconnect } from '#app/domain/linkedin/connect/disconnect.ts';
import { endExpiredConnections } from '#app/domain/linkedin/sweep.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatInstant } from '#app/domain/platform/dates.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { presentPost } from '#app/domain/posts/present.ts';
import { setAsideUnapproved } from '#app/domain/publishing/approval/approve.ts';
import { publishNow } from '#app/domain/publishing/manual/publish-now.ts';
import { releaseEpoch } from '#app/domain/publishing/safety/epoch.ts';
import { stopPublishing } from '#app/domain/publishing/safety/pause.ts';
import type { MissedChoice } from '#app/domain/publishing/schema.ts';
import { publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { refitQueue, saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import {
  chooseMissed,
  findMissed,
  releaseUnchosen,
} from '#app/domain/publishing/slots/missed-while-disconnected.ts';
import { listFreeSlots } from '#app/domain/publishing/slots/slot-key.ts';
import { moveLatePosts } from '#app/domain/publishing/slots/too-late.ts';
import { releaseHeldEligible } from '#app/domain/publishing/sweep.ts';
import { mailsTo, makeUser } from '#tests/fixtures/accounts.ts';
import { connectLinkedIn, setConnection } from '#tests/fixtures/linkedin.ts';
import { findQueued, makePublisher, makeScheduledPost, readPost, standAs } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { goOnAfterEach } from '#tests/harness/reset-publishing.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const later = (ms: number) => new Date(Date.now() + ms);

goOnAfterEach(() => db);

const ENDS: Record<string, (actor: Actor) => Promise<unknown>> = {
  expired: async (actor) => {
    await setConnection(db, actor, { expiresAt: later(-5 * DAY) });
    await endExpiredConnections(db);
  },
  revoked: (actor) => setConnection(db, actor, { status: 'expired' }),
  disconnected: (actor) => disconnect(db, actor),
};

/** Whose connection ended, with posts of which three were missed and one is still to come. */
async function heldUser(end = 'revoked') {
  const actor = await makePublisher(db, outside.url);
  // At every hour of the day the slot of today has passed.
  await saveSettings(db, actor, { publishTimes: ['00:00'] });
  await ENDS[end]!(actor);
  const dues = [-50 * HOUR, -26 * HOUR, -2 * HOUR, 30 * HOUR].map(later);
  const ids = [];
  for (const dueAt of dues) ids.push(await makeScheduledPost(db, actor, { dueAt }));
  return { actor, ids, dues };
}

/** Everything that could let a post go by itself. */
async function everything(actor: Actor, now?: Date) {
  await enqueueDuePosts(db, now);
  await releaseHeldEligible(db, now);
  await refitQueue(db, actor.userId, now);
  await saveSettings(db, actor, { enabled: false }, now);
  await saveSettings(db, actor, { enabled: true, publishTimes: ['07:15'] }, now);
  await setAsideUnapproved(db, now);
  await releaseUnchosen(db, now);
  await enqueueDuePosts(db, now);
}

const placeOf = async (id: string) => {
  const { dueAt, heldAt } = (await findQueued(db, id))!;
  return { dueAt: dueAt.toISOString(), isHeld: heldAt !== null };
};
const places = (ids: string[]) => Promise.all(ids.map(placeOf));

const choose = async (actor: Actor, choice: MissedChoice, now?: Date) => {
  const missed = await findMissed(db, actor, now);
  return chooseMissed(db, actor, { choice, asked: missed!.asked.toISOString() }, now);
};
const textsOf = async (actor: Actor) => {
  const { attempts } = (await outside.ledger()) as { attempts: object[] };
  return attempts.filter((attempt) => JSON.stringify(attempt).includes(actor.userId)).length;
};

for (const end of Object.keys(ENDS)) {
  test(`a connection that is ${end} fails nothing, and nothing goes before the choice`, async () => {
    const { actor, ids, dues } = await heldUser(end);
    const missed = ids.slice(0, 3);
    const before = dues.slice(0, 3).map((at) => ({ dueAt: at.toISOString(), isHeld: true }));
    await everything(actor);
    assert.deepEqual(await places(missed), before);
    assert.equal(await findMissed(db, actor), null);

    await connectLinkedIn(db, actor, outside.url);
    await everything(actor);
    for (const id of missed) await publishPost(db, id);
    assert.deepEqual(await places(missed), before);
    const found = (await findMissed(db, actor))!;
    assert.deepEqual(
      found.posts.map(({ id }) => id),
      missed,
    );
    for (const id of ids) assert.equal((await findPost(db, actor, id)).status, 'generated');
    const ahead = await placeOf(ids[3]!);
    assert.equal(ahead.isHeld, false);
    assert.ok(ahead.dueAt > new Date().toISOString());
  });
}

test('the next free slots are taken in order', async () => {
  const { actor, ids } = await heldUser();
  await connectLinkedIn(db, actor, outside.url);
  await enqueueDuePosts(db);
  assert.deepEqual(await choose(actor, 'slots'), ids.slice(0, 3));
  const taken = await places(ids.slice(0, 3));
  const now = new Date().toISOString();
  for (const { dueAt, isHeld } of taken) assert.ok(dueAt > now && !isHeld);
  assert.deepEqual(
    taken,
    taken.toSorted((a, b) => a.dueAt.localeCompare(b.dueAt)),
  );
  const slots = await db
    .selectFrom('posts')
    .select(['slotDate', 'slotNumber'])
    .where('userId', '=', actor.userId)
    .execute();
  assert.equal(new Set(slots.map((slot) => JSON.stringify(slot))).size, 4);
});

test('a slot that a missed post leaves is free for those after it', async () => {
  const { actor, ids } = await heldUser();
  const readPlaces = () =>
    Promise.all(ids.map(async (id) => (await findPost(db, actor, id)).publishAt!.toISOString()));
  const [, , , ahead] = await readPlaces();
  await connectLinkedIn(db, actor, outside.url);
  await chooseMissed(db, actor, {
    choice: 'slots',
    asked: (await findMissed(db, actor))!.asked.toISOString(),
  });
  const [one, two, three] = await readPlaces();
  assert.ok(one! < two! && two! < three!);

  await disconnect(db, actor);
  const due = (id: string, dueAt: Date) =>
    db.updateTable('postSchedules').set({ dueAt, heldAt: dueAt }).where('postId', '=', id).execute();
  await due(ids[0]!, later(-3 * HOUR));
  await due(ids[1]!, later(-2 * HOUR));
  await due(ids[2]!, later(-HOUR));
  await connectLinkedIn(db, actor, outside.url);
  assert.deepEqual(await choose(actor, 'slots'), ids.slice(0, 3));
  const [first, second, third, last] = await readPlaces();
  // The first finds its own slot taken, by itself; the second takes what the first has left, and so on.
  assert.deepEqual([second, third, last], [one, two, ahead]);
  assert.ok(first! > three!);
});

test('a thousand missed posts take the next free slots in a few seconds of work', async () => {
  const actor = await makePublisher(db, outside.url);
  await disconnect(db, actor);
  await sql`with made as (
      insert into posts (user_id, content, slot_date, slot_number, publish_at, created_at)
      select ${actor.userId}, 'Post ' || n, (now() - n * interval '1 day')::date, 1, now() - n * interval '1 day',
        now() - n * interval '1 day 1 hour'
      from generate_series(1, 1000) as n returning id, user_id, publish_at)
    insert into post_schedules (post_id, user_id, due_at) select id, user_id, publish_at from made`.execute(
    db,
  );
  await connectLinkedIn(db, actor, outside.url);
  const before = process.cpuUsage();
  assert.equal((await choose(actor, 'slots')).length, 1_000);
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 4_000_000, `${(user + system) / 1_000} ms`);
  const held = await db
    .selectFrom('posts')
    .select(['slotDate', 'slotNumber', 'publishAt'])
    .where('userId', '=', actor.userId)
    .execute();
  assert.equal(new Set(held.map(({ slotDate, slotNumber }) => `${slotDate} ${slotNumber}`)).size, 1_000);
  assert.ok(held.every(({ publishAt }) => publishAt! > new Date()));
});

test('the latest goes now, and the others into the next free slots', async () => {
  const actor = await makePublisher(db, outside.url);
  await disconnect(db, actor);
  const contents = ['first', 'second'].map((word) => `The ${word} plan on a postcard. ${actor.userId}`);
  const [older, latest] = await Promise.all([
    makeScheduledPost(db, actor, { dueAt: later(-30 * HOUR), content: contents[0]! }),
    makeScheduledPost(db, actor, { dueAt: later(-2 * HOUR), content: contents[1]! }),
  ]);
  await connectLinkedIn(db, actor, outside.url);
  await choose(actor, 'latest');
  assert.ok((await placeOf(older)).dueAt > new Date().toISOString());
  await publishPost(db, older);
  await publishPost(db, latest);
  assert.equal((await findPost(db, actor, latest)).status, 'published');
  assert.equal((await findPost(db, actor, older)).status, 'generated');
  assert.equal(await textsOf(actor), 1);
});

test('what is set aside keeps its text, says so, and can be sent all the same', async () => {
  const { actor, ids } = await heldUser();
  await connectLinkedIn(db, actor, outside.url);
  await choose(actor, 'discard');
  for (const id of ids.slice(0, 3)) {
    const { status, badge, reason, content } = presentPost(await findPost(db, actor, id), 'UTC');
    assert.deepEqual([status, badge], ['failed', 'set_aside']);
    assert.match(reason!, /^You set this post aside/);
    assert.match(content, /postcard/);
  }
  assert.equal((await findPost(db, actor, ids[3]!)).status, 'generated');
});

test('what is set aside leaves the slot that it has ahead, and stays in the one that has passed', async () => {
  const { actor, ids } = await heldUser();
  const [passed, ahead] = [ids[2]!, ids[3]!];
  const keyAt = async (id: string) => slotKeyOfPost(await readPost(db, id));
  const [its, open] = [await keyAt(passed), await keyAt(ahead)];
  await standAs(db, ahead, { isManual: true, dueAt: later(-HOUR), heldAt: later(-HOUR) });
  await connectLinkedIn(db, actor, outside.url);
  assert.equal((await choose(actor, 'discard')).length, 4);
  const free = (await listFreeSlots(db, actor.userId, 5)).map(({ key }) => key);
  assert.ok(free.includes(open!), `${open} of ${free}`);
  assert.equal(await keyAt(passed), its);
});

test('two tabs make one choice, and the second one hears of the first', async () => {
  const { actor, ids } = await heldUser();
  await connectLinkedIn(db, actor, outside.url);
  const asked = (await findMissed(db, actor))!.asked.toISOString();
  const both = await Promise.allSettled(
    (['discard', 'slots'] as const).map((choice) => chooseMissed(db, actor, { choice, asked })),
  );
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  const statuses = await Promise.all(
    ids.slice(0, 3).map(async (id) => (await findPost(db, actor, id)).status),
  );
  assert.equal(new Set(statuses).size, 1);
  await assert.rejects(chooseMissed(db, actor, { choice: 'latest', asked }), {
    code: 'already_chosen',
    message: /You have chosen already/,
  });
});

test('after three days the next free slots are taken, once, with a mail, and choosing says so', async () => {
  const { actor, ids } = await heldUser();
  await connectLinkedIn(db, actor, outside.url);
  await enqueueDuePosts(db);
  const asked = (await findMissed(db, actor))!.asked.toISOString();
  const before = await places(ids.slice(0, 3));
  await releaseUnchosen(db, later(3 * DAY - HOUR));
  assert.deepEqual(await places(ids.slice(0, 3)), before);
  const after = later(3 * DAY + 1_000);
  await Promise.all([releaseUnchosen(db, after), releaseUnchosen(db, after)]);
  for (const { dueAt, isHeld } of await places(ids.slice(0, 3))) {
    assert.ok(dueAt > after.toISOString() && !isHeld);
  }
  await assert.rejects(chooseMissed(db, actor, { choice: 'discard', asked }, after), {
    message: /3 days .* over/,
  });
  const mails = await mailsTo(db, actor.email, 'postsResumed');
  assert.deepEqual(
    mails.map(({ posts }) => posts.length),
    [3],
  );
  for (const { at } of mails[0]!.posts) assert.match(at, / \(UTC\)$/);
});

test('a choice made after three days stands where nothing has moved yet', async () => {
  const { actor, ids } = await heldUser();
  await connectLinkedIn(db, actor, outside.url);
  await enqueueDuePosts(db);
  const after = later(3 * DAY + 1_000);
  assert.equal((await choose(actor, 'discard', after)).length, 3);
  await releaseUnchosen(db, after);
  assert.equal((await findPost(db, actor, ids[0]!)).failure, 'not_wanted');
  assert.deepEqual(await mailsTo(db, actor.email, 'postsResumed'), []);
});

test('what came due during a stop for everybody takes the next free slots after three days, too', async () => {
  const [{ actor, ids }, admin] = [await heldUser(), await makeUser(db, { isAdmin: true })];
  await stopPublishing(db, admin, { reason: 'We look at something' });
  await connectLinkedIn(db, actor, outside.url);
  await enqueueDuePosts(db);
  assert.equal((await placeOf(ids[0]!)).isHeld, false);
  const after = later(3 * DAY + 1_000);
  await releaseUnchosen(db, after);
  for (const { dueAt } of await places(ids.slice(0, 3))) assert.ok(dueAt > after.toISOString());
});

test('a page of before another reconnection decides nothing', async () => {
  const { actor, ids } = await heldUser();
  await connectLinkedIn(db, actor, outside.url);
  const asked = (await findMissed(db, actor))!.asked.toISOString();
  await disconnect(db, actor);
  await assert.rejects(chooseMissed(db, actor, { choice: 'discard', asked }), {
    code: 'linkedin_not_connected',
  });
  await connectLinkedIn(db, actor, outside.url);
  await assert.rejects(chooseMissed(db, actor, { choice: 'discard', asked }), { code: 'out_of_date' });
  assert.equal((await findMissed(db, actor))!.posts.length, 3);
  assert.equal((await findPost(db, actor, ids[0]!)).status, 'generated');
});

test('connecting again while the connection lives asks nothing and leaves an open choice open', async () => {
  const actor = await makePublisher(db, outside.url);
  const id = await makeScheduledPost(db, actor, { dueAt: later(-HOUR) });
  await connectLinkedIn(db, actor, outside.url);
  assert.equal(await findMissed(db, actor), null);
  await publishPost(db, id);
  assert.equal((await findPost(db, actor, id)).status, 'published');

  const held = await heldUser();
  await connectLinkedIn(db, held.actor, outside.url);
  const { asked } = (await findMissed(db, held.actor))!;
  await connectLinkedIn(db, held.actor, outside.url);
  assert.deepEqual((await findMissed(db, held.actor))!.asked, asked);
});

test('a missed post that its owner publishes by hand goes, and the others wait on', async () => {
  const { actor, ids } = await heldUser();
  await connectLinkedIn(db, actor, outside.url);
  await publishNow(db, actor, ids[1]!);
  await publishPost(db, ids[1]!);
  assert.equal((await findPost(db, actor, ids[1]!)).status, 'published');
  assert.deepEqual(
    (await findMissed(db, actor))!.posts.map(({ id }) => id),
    [ids[0], ids[2]],
  );
});

for (const minutes of [-10, 10]) {
  test(`a web process whose clock is ${minutes} minutes off asks about what was missed, and nothing else`, async (t) => {
    const actor = await makePublisher(db, outside.url);
    await ENDS.revoked!(actor);
    const missed = await makeScheduledPost(db, actor, { dueAt: later(-5 * MINUTE) });
    await makeScheduledPost(db, actor, { dueAt: later(5 * MINUTE) });
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + minutes * MINUTE });
    await connectLinkedIn(db, actor, outside.url);
    t.mock.timers.reset();
    assert.deepEqual(
      (await findMissed(db, actor))!.posts.map(({ id }) => id),
      [missed],
    );
  });
}

test('the latest goes at once when the clock of the web process is ahead', async (t) => {
  const { actor, ids } = await heldUser();
  await connectLinkedIn(db, actor, outside.url);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 10 * MINUTE });
  await choose(actor, 'latest');
  t.mock.timers.reset();
  await publishPost(db, ids[2]!);
  assert.equal((await findPost(db, actor, ids[2]!)).status, 'published');
});

test('times that are saved where the clock is ahead leave a post whose time is near in its slot', async (t) => {
  const actor = await makePublisher(db, outside.url);
  const dueAt = new Date(Math.ceil(Date.now() / MINUTE + 4) * MINUTE);
  const id = await makeScheduledPost(db, actor, { dueAt });
  const time = (at: Date) => at.toISOString().slice(11, 16);
  await saveSettings(db, actor, { publishTimes: [time(new Date(dueAt.getTime() - MINUTE))] });
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 10 * MINUTE });
  await saveSettings(db, actor, { publishTimes: [time(dueAt)] });
  t.mock.timers.reset();
  assert.deepEqual(await placeOf(id), { dueAt: dueAt.toISOString(), isHeld: false });
});

const MOVERS: Record<string, (actor: Actor) => Promise<unknown>> = {
  'a new plan': ({ userId }) => refitQueue(db, userId),
  'new times': (actor) => saveSettings(db, actor, { publishTimes: ['07:07'] }),
};
for (const [what, move] of Object.entries(MOVERS)) {
  test(`the owner of a late post that ${what} moves is told once, in the words of the house`, async () => {
    const actor = await makePublisher(db, outside.url);
    const dueAt = later(-4 * HOUR);
    const id = await makeScheduledPost(db, actor, { dueAt });
    const ahead = await makeScheduledPost(db, actor, { dueAt: later(30 * HOUR) });
    await move(actor);
    await move(actor);
    await moveLatePosts(db, actor.userId, new Date());
    assert.equal((await placeOf(ahead)).isHeld, false);
    const mails = await mailsTo(db, actor.email, 'postMoved');
    const { publishAt } = await findPost(db, actor, id);
    assert.ok(publishAt! > new Date());
    assert.deepEqual(
      mails.map(({ from, to }) => [from, to]),
      [[dueAt, publishAt!].map((at) => `${formatInstant(at, 'UTC')} (UTC)`)],
    );
  });
}

test('a late post that LinkedIn has put off moves once, to a time after that', async () => {
  const actor = await makePublisher(db, outside.url);
  const id = await makeScheduledPost(db, actor, { dueAt: later(-4 * HOUR) });
  const notBefore = later(49 * HOUR);
  await standAs(db, id, { notBefore });
  await moveLatePosts(db, actor.userId, new Date());
  const { dueAt } = (await findQueued(db, id))!;
  assert.ok(dueAt > notBefore, String(dueAt));
  await moveLatePosts(db, actor.userId, notBefore);
  const mails = await mailsTo(db, actor.email, 'postMoved');
  assert.deepEqual(
    mails.map(({ to }) => to),
    [`${formatInstant(dueAt, 'UTC')} (UTC)`],
  );
});

test('a missed post that LinkedIn has put off takes the next free time after that, the others theirs', async () => {
  const { actor, ids } = await heldUser();
  await connectLinkedIn(db, actor, outside.url);
  const notBefore = later(49 * HOUR);
  await standAs(db, ids[0]!, { notBefore });
  await choose(actor, 'slots');
  const [putOff, ...others] = await places(ids.slice(0, 3));
  assert.ok(putOff!.dueAt > notBefore.toISOString(), putOff!.dueAt);
  const times = [putOff!, ...others].map(({ dueAt }) => dueAt);
  assert.equal(new Set(times).size, 3);
  assert.ok(others[0]!.dueAt < notBefore.toISOString(), others[0]!.dueAt);
});

test('the owner of a post that was held and forgotten is told where it goes', async () => {
  const actor = await makePublisher(db, outside.url);
  const id = await makeScheduledPost(db, actor, { dueAt: later(-10 * MINUTE) });
  await db
    .updateTable('postSchedules')
    .set({ heldAt: later(-5 * MINUTE) })
    .where('postId', '=', id)
    .execute();
  await releaseHeldEligible(db);
  await refitQueue(db, actor.userId);
  await refitQueue(db, actor.userId);
  assert.equal((await placeOf(id)).isHeld, false);
  assert.equal((await mailsTo(db, actor.email, 'postMoved')).length, 1);
});

test('what its owner has paused goes on without a mail, also with new times', async () => {
  const actor = await makePublisher(db, outside.url);
  await saveSettings(db, actor, { enabled: false });
  const id = await makeScheduledPost(db, actor, { dueAt: later(-4 * HOUR) });
  await enqueueDuePosts(db);
  await saveSettings(db, actor, { publishTimes: ['07:07'] });
  assert.ok((await placeOf(id)).dueAt > new Date().toISOString());
  const other = await makeScheduledPost(db, actor, { dueAt: later(-5 * HOUR) });
  await enqueueDuePosts(db);
  await saveSettings(db, actor, { enabled: true, publishTimes: ['08:08'] });
  assert.ok((await placeOf(other)).dueAt > new Date().toISOString());
  assert.deepEqual(await mailsTo(db, actor.email, 'postMoved'), []);
});

test('a post that was to go out by hand when the connection ended waits for the choice, too', async () => {
  const { actor, ids } = await heldUser();
  await db
    .updateTable('postSchedules')
    .set({ isManual: true, heldAt: later(-HOUR) })
    .where('postId', '=', ids[0]!)
    .execute();
  await connectLinkedIn(db, actor, outside.url);
  await everything(actor);
  assert.equal((await placeOf(ids[0]!)).isHeld, true);
  await choose(actor, 'slots');
  const { isPublishing, publishAt } = await findPost(db, actor, ids[0]!);
  assert.ok(!isPublishing && publishAt! > new Date());
});

test('a post nobody has approved is not set aside for as long as nothing can go out', async () => {
  const { actor, ids } = await heldUser();
  await standAs(db, ids[0]!, { status: 'pending' });
  await enqueueDuePosts(db);
  await setAsideUnapproved(db);
  assert.equal((await placeOf(ids[0]!)).isHeld, true);
  await connectLinkedIn(db, actor, outside.url);
  await setAsideUnapproved(db);
  assert.equal((await placeOf(ids[0]!)).isHeld, false);
});

test('the sweep asks for no fitting of a queue that waits for the choice', async () => {
  const { actor } = await heldUser();
  await connectLinkedIn(db, actor, outside.url);
  await sql`delete from graphile_worker._private_jobs`.execute(db);
  await enqueueDuePosts(db);
  await releaseHeldEligible(db, later(HOUR));
  const { rows } =
    await sql`select key from graphile_worker.jobs where key = ${`refit:${actor.userId}`}`.execute(db);
  assert.deepEqual(rows, []);
});

test('in a restored database missed posts keep their places until the operator has looked', async () => {
  const { actor, ids } = await heldUser();
  await connectLinkedIn(db, actor, outside.url);
  await enqueueDuePosts(db);
  const before = await places(ids);
  await db.updateTable('publishingEpoch').set({ server: 'another' }).execute();
  const refused = { code: 'publishing_checked', message: /being checked.*Try again later/ };
  const after = later(3 * DAY + 1_000);
  for (const choice of ['slots', 'latest', 'discard'] as const) {
    await assert.rejects(choose(actor, choice), refused);
  }
  await assert.rejects(choose(actor, 'slots', after), refused);
  await releaseUnchosen(db, after);
  assert.deepEqual(await places(ids), before);
  for (const id of ids) assert.equal((await findPost(db, actor, id)).status, 'generated');
  assert.deepEqual(await mailsTo(db, actor.email, 'postsResumed'), []);
  await releaseEpoch(db);
  assert.equal((await choose(actor, 'slots')).length, 3);
});

test('in a restored database nothing is set aside for want of an approval', async () => {
  const actor = await makePublisher(db, outside.url);
  const id = await makeScheduledPost(db, actor, { dueAt: later(-HOUR) });
  await db
    .updateTable('posts')
    .set({ approvalMovedAt: later(-DAY) })
    .where('id', '=', id)
    .execute();
  await standAs(db, id, { status: 'pending' });
  await enqueueDuePosts(db);
  await db.updateTable('publishingEpoch').set({ server: 'another' }).execute();
  await setAsideUnapproved(db);
  assert.equal((await findPost(db, actor, id)).status, 'pending');
  await releaseEpoch(db);
  await setAsideUnapproved(db);
  assert.equal((await findPost(db, actor, id)).status, 'failed');
});
