import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { eraseDue } from '#app/domain/account-deletion/erase.ts';
import { requestDeletion } from '#app/domain/account-deletion/request.ts';
import { hashPassword } from '#app/domain/accounts/password/password.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { presentPost } from '#app/domain/posts/present.ts';
import { approvePost, setAsideUnapproved } from '#app/domain/publishing/approval/approve.ts';
import { approveByEmail, skipByEmail } from '#app/domain/publishing/approval/decide-by-email.ts';
import { openLink } from '#app/domain/publishing/approval/links.ts';
import { mailApprovalRequests } from '#app/domain/publishing/approval/request.ts';
import { editPost } from '#app/domain/publishing/edit/edit.ts';
import { deletePost } from '#app/domain/publishing/manual/delete.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { skipPost } from '#app/domain/publishing/slots/move.ts';
import { undo } from '#app/domain/publishing/slots/undo.ts';
import { env } from '#app/env.ts';
import { mailsTo } from '#tests/fixtures/accounts.ts';
import { makePublisher, makeScheduledPost, readPost, standAs } from '#tests/fixtures/posts.ts';
import { atOnce } from '#tests/harness/concurrency.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const refused = (code: string) => (error: unknown) => error instanceof Refusal && error.code === code;

/** What the address of a link says. */
function partsOf(link: string) {
  const { origin, pathname, searchParams } = new URL(link);
  return { origin, postId: pathname.split('/')[2]!, key: searchParams.get('key')! };
}

/** A post that waits for approval, and the link that was mailed. */
async function mailed(days = 2) {
  const actor = await makePublisher(db, outside.url);
  const dueAt = new Date(Date.now() + days * DAY);
  const postId = await makeScheduledPost(db, actor, { dueAt });
  await saveSettings(db, actor, { requireApproval: true });
  await standAs(db, postId, { dueAt });
  await mailApprovalRequests(db);
  const [mail] = await mailsTo(db, actor.email, 'approvalAsked');
  const { key, ...address } = partsOf(mail!.posts[0]!.link);
  assert.deepEqual(address, { origin: env().APP_URL, postId });
  const open = (now = new Date()) => openLink(db, postId, key, now);
  return { actor, postId, key, dueAt, open };
}

test('the link in a mail opens the one post for the one to whom it was mailed', async () => {
  const { actor, postId, open } = await mailed();
  const link = await open();
  assert.deepEqual([link.actor, link.postId, link.revision], [actor, postId, 0]);
});

test('the mail about a post that moved has a link of its own, which works for its new time', async () => {
  const { actor, postId, dueAt, open } = await mailed();
  const afterSlot = new Date(dueAt.getTime() + MINUTE);
  await enqueueDuePosts(db, afterSlot);
  await setAsideUnapproved(db, afterSlot);
  const [moved] = await mailsTo(db, actor.email, 'approvalMoved');
  const { key } = partsOf(moved!.post.link);
  const { publishAt } = await findPost(db, actor, postId);
  const later = new Date(dueAt.getTime() + 5 * 60 * MINUTE);
  await assert.rejects(open(later), refused('link_expired'));
  const link = await openLink(db, postId, key, later);
  assert.deepEqual(link.until, new Date(publishAt!.getTime() + 180 * MINUTE));
});

test('a link works until the post is too late for its time, and for a week at most', async () => {
  const soon = await mailed(2);
  const end = new Date(soon.dueAt.getTime() + 180 * MINUTE);
  assert.deepEqual((await soon.open(new Date(end.getTime() - 1))).until, end);
  await assert.rejects(soon.open(end), refused('link_expired'));
  const late = await mailed(30);
  const { until } = await late.open();
  assert.ok(Math.abs(until.getTime() - Date.now() - 7 * DAY) < MINUTE);
  await assert.rejects(late.open(until), refused('link_expired'));
});

test('what we did not mail opens nothing: another post, another time or text, another signature', async () => {
  const { actor, postId, key } = await mailed();
  const other = await mailed();
  const secondId = await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() + 3 * DAY) });
  const [revision, until, mac, keyId] = key.split('.');
  const forged = [
    '',
    'x',
    [`${Number(revision) + 1}`, until, mac, keyId],
    [revision, until!.replace(/.$/, (last) => (last === 'z' ? 'y' : 'z')), mac, keyId],
    [revision, until, mac!.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')), keyId],
    [revision, until, mac!.slice(0, -1), keyId],
    [revision, until, '', keyId],
    [revision, until, mac],
    [revision, until, mac, 'k9'],
    [revision, 'zzzzzzzzzzz', mac, keyId],
    [`0${revision}`, until, mac, keyId],
  ].map((parts) => [parts].flat().join('.'));
  for (const each of [...forged, `${key}x`, other.key]) {
    await assert.rejects(openLink(db, postId, each, new Date()), refused('link_invalid'), each);
  }
  for (const each of [secondId, other.postId, randomUUID(), postId.toUpperCase(), 'x', '\0']) {
    await assert.rejects(openLink(db, each, key, new Date()), refused('link_invalid'), each);
  }
});

test('a link ends with the password and the address to which it was mailed, and with the account', async () => {
  const changes = [
    { passwordHash: await hashPassword('another one entirely') },
    { email: 'other@example.com' },
  ];
  for (const change of changes) {
    const { actor, open } = await mailed();
    await db.updateTable('users').set(change).where('id', '=', actor.userId).execute();
    await assert.rejects(open(), refused('link_invalid'));
  }
  const { actor, open } = await mailed();
  await requestDeletion(db, actor, null);
  await eraseDue(db, new Date(Date.now() + 8 * DAY));
  await assert.rejects(open(), refused('link_invalid'));
});

test('a link outlives a new key that is put first, and not the removal of its own', async () => {
  const { open } = await mailed();
  const keys = env().SECRET_KEYS;
  const [own] = keys;
  keys.unshift({ id: 'newer', key: randomBytes(32) });
  await open();
  keys.splice(keys.indexOf(own!), 1);
  await assert.rejects(open(), refused('link_invalid'));
  keys.splice(0, keys.length, own!);
  await open();
});

test('what the page showed is approved, and kept as done by mail', async () => {
  const { actor, postId, open } = await mailed();
  const { post, isRepeated } = await approveByEmail(db, await open(), 0);
  assert.deepEqual([post.status, isRepeated], ['generated', false]);
  const { approvedAt, decidedByEmailAt } = await readPost(db, postId);
  assert.ok(approvedAt);
  assert.deepEqual(decidedByEmailAt, approvedAt);
  assert.match(presentPost(post, 'UTC').byMail!, /^Approved by the link in a mail, /);
  assert.equal((await approveByEmail(db, await open(), 0)).isRepeated, true);
  assert.deepEqual((await readPost(db, postId)).decidedByEmailAt, decidedByEmailAt);
  await assert.rejects(skipByEmail(db, await open()), refused('approved'));
  assert.equal((await findPost(db, actor, postId)).status, 'generated');
});

test('a text that was changed after the page was shown is not approved', async () => {
  const { actor, postId, open } = await mailed();
  await editPost(db, actor, { postId, content: 'Another text, which nobody has read on that page.' });
  await assert.rejects(approveByEmail(db, await open(), 0), refused('changed_elsewhere'));
  const { status, approvedAt, decidedByEmailAt } = await readPost(db, postId);
  assert.deepEqual([status, approvedAt, decidedByEmailAt], ['pending', null, null]);
  assert.equal((await approveByEmail(db, await open(), 1)).post.status, 'generated');
});

test('a post that is skipped by mail is set aside, and can be brought back where its owner is signed in', async () => {
  const { actor, postId, open } = await mailed();
  const { post } = await skipByEmail(db, await open());
  assert.deepEqual([post.status, post.failure, post.publishAt], ['failed', 'skipped', null]);
  assert.match(presentPost(post, 'UTC').byMail!, /^Skipped by the link in a mail, /);
  assert.equal((await skipByEmail(db, await open())).isRepeated, true);
  await assert.rejects(approveByEmail(db, await open(), 0), refused('skipped'));
  await undo(db, actor, { postId, of: 'skip', was: null, is: null });
  const back = await findPost(db, actor, postId);
  assert.deepEqual([back.status, presentPost(back, 'UTC').byMail], ['pending', null]);
});

test('what was decided or is over is left as it is, each with its sentence', async () => {
  type Way = (actor: Actor, postId: string) => Promise<unknown>;
  const ways: Record<string, Way> = {
    already_published: (_, postId) => standAs(db, postId, { status: 'published', dueAt: null }),
    skipped: (actor, postId) => skipPost(db, actor, postId),
    set_aside: (_, postId) => standAs(db, postId, { status: 'failed', failure: 'not_approved', dueAt: null }),
    failed: (_, postId) => standAs(db, postId, { status: 'failed', failure: 'forbidden', dueAt: null }),
    unconfirmed: (_, postId) =>
      standAs(db, postId, { status: 'failed', failure: 'unconfirmed', isUnconfirmed: true, dueAt: null }),
    deleted: (actor, postId) => deletePost(db, actor, postId, { beforeCall: async () => {} }),
  };
  for (const [code, become] of Object.entries(ways)) {
    const { actor, postId, open } = await mailed();
    await become(actor, postId);
    const before = await readPost(db, postId);
    await assert.rejects(approveByEmail(db, await open(), 0), refused(code), code);
    if (code !== 'skipped') await assert.rejects(skipByEmail(db, await open()), refused(code), code);
    assert.deepEqual(await readPost(db, postId), before, code);
  }
});

test('of presses at one instant each post is decided once, and the same answer comes to both of a double click', async () => {
  const twice = await mailed();
  const link = await twice.open();
  const approve = () => approveByEmail(db, link, 0);
  const answers = await atOnce(db, twice.postId, [approve, approve]);
  const isRepeated = (answer: (typeof answers)[number]) =>
    answer.status === 'fulfilled' && answer.value.isRepeated;
  assert.deepEqual(answers.map(isRepeated).sort(), [false, true]);
  const both = await mailed();
  const other = await both.open();
  const [approved, skipped] = await atOnce(db, both.postId, [
    () => approveByEmail(db, other, 0),
    () => skipByEmail(db, other),
  ]);
  assert.deepEqual([approved!.status, skipped!.status].sort(), ['fulfilled', 'rejected']);
  const { status } = await readPost(db, both.postId);
  assert.equal(status, approved!.status === 'fulfilled' ? 'generated' : 'failed');
});

test('what is approved in the app after it was approved by mail once says nothing of a mail', async () => {
  const { actor, postId, open } = await mailed();
  await approveByEmail(db, await open(), 0);
  await standAs(db, postId, { status: 'pending' });
  const post = await approvePost(db, actor, postId);
  assert.equal(presentPost(post, 'UTC').byMail, null);
});
