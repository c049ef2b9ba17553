import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMail } from '#app/domain/email/render/render.ts';
import { mailText } from '#app/domain/email/templates/templates.ts';
import { getShellState } from '#app/domain/pages/shell.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { warnEndingConnections } from '#app/domain/publishing/warn-expiring-connection.ts';
import { mailsTo } from '#tests/fixtures/accounts.ts';
import { setConnection } from '#tests/fixtures/linkedin.ts';
import { makePublisher, makeScheduledPost } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const END = new Date('2027-03-14T12:00:00Z');
const before = (ms: number) => new Date(END.getTime() - ms);

const daysTold = async (actor: Actor) =>
  (await mailsTo(db, actor.email, 'linkedInEnding')).map(({ days }) => days).toReversed();

/** Whose permission ends at noon UTC; it is 8 in the morning in New York, an hour after the clocks went forward. */
async function ending() {
  const actor = await makePublisher(db, outside.url);
  await setConnection(db, actor, { expiresAt: END, refreshTokenSealed: null });
  await db
    .updateTable('users')
    .set({ timeZone: 'America/New_York' })
    .where('id', '=', actor.userId)
    .execute();
  return actor;
}

test('mails go out 10, 3 and 1 days before the end, each once', async () => {
  const actor = await ending();
  const seen: number[][] = [];
  for (const left of [10 * DAY + HOUR, 10 * DAY - HOUR, 9 * DAY, 3 * DAY, 2 * DAY, DAY - HOUR, HOUR, -HOUR]) {
    await Promise.all([1, 2].map(() => warnEndingConnections(db, before(left))));
    seen.push(await daysTold(actor));
  }
  assert.deepEqual(
    seen.map((days) => days.length),
    [0, 1, 1, 2, 2, 3, 3, 3],
  );
  assert.deepEqual(seen.at(-1)!.toSorted(), [1, 10, 3]);
});

test('after days of silence only the nearest mail goes out, and a new permission begins anew', async () => {
  const actor = await ending();
  await warnEndingConnections(db, before(2 * DAY));
  assert.deepEqual(await daysTold(actor), [2]);
  await setConnection(db, actor, { expiresAt: new Date(END.getTime() + 60 * DAY) });
  await warnEndingConnections(db, before(-50 * DAY));
  assert.deepEqual((await daysTold(actor)).toSorted(), [10, 2]);
});

test('a mail that comes late for its day counts the days that are left', async () => {
  const actor = await ending();
  await warnEndingConnections(db, before(3 * DAY + HOUR));
  const [data] = await mailsTo(db, actor.email, 'linkedInEnding');
  assert.match(mailText('linkedInEnding', data!).subject, /in 4 days$/);
});

test('the mail names the posts that would miss their time, in the time of the user', async () => {
  const actor = await ending();
  await makeScheduledPost(db, actor, { content: 'Too early to miss', dueAt: before(HOUR) });
  await makeScheduledPost(db, actor, { content: 'It would be late\nand more', dueAt: before(-HOUR) });
  await warnEndingConnections(db, before(DAY));
  const [data] = await mailsTo(db, actor.email, 'linkedInEnding');
  const { subject, text } = renderMail(mailText('linkedInEnding', data!));
  assert.match(subject, /within a day/);
  assert.match(text, /Sun, Mar 14, 08:00 \(America\/New York\)/);
  assert.match(text, /09:00 \(America\/New York\): "It would be late"/);
  assert.doesNotMatch(text, /Too early/);
});

test('the mail names no post that its owner has paused anyway', async () => {
  const actor = await ending();
  await makeScheduledPost(db, actor, { content: 'It is paused', dueAt: before(-HOUR) });
  await db
    .updateTable('automationSettings')
    .set({ isEnabled: false })
    .where('userId', '=', actor.userId)
    .execute();
  await warnEndingConnections(db, before(DAY));
  const [data] = await mailsTo(db, actor.email, 'linkedInEnding');
  assert.deepEqual(data!.posts, []);
});

test('one that can be renewed no more gets the mails before its end, and the banner', async () => {
  const actor = await ending();
  await setConnection(db, actor, { refreshTokenSealed: 'sealed', refreshExpiresAt: before(DAY) });
  await warnEndingConnections(db, before(2 * DAY));
  assert.deepEqual(await daysTold(actor), [2]);
  assert.deepEqual((await getShellState(db, actor, before(2 * DAY))).trouble, { kind: 'ending', days: 2 });
});

test('one that renews itself, and one that has ended already, get none', async () => {
  const [renewing, ended] = [await ending(), await ending()];
  await setConnection(db, renewing, { refreshTokenSealed: 'sealed', refreshExpiresAt: before(-DAY) });
  await setConnection(db, ended, { status: 'expired' });
  await warnEndingConnections(db, before(DAY));
  assert.deepEqual([await daysTold(renewing), await daysTold(ended)], [[], []]);
});
