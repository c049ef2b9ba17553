import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { Actor } from '#app/domain/platform/actor.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { editPost } from '#app/domain/publishing/edit/edit.ts';
import { deletePost } from '#app/domain/publishing/manual/delete.ts';
import {
  acknowledgePost,
  postAgain,
  publishNow,
  retryPost,
} from '#app/domain/publishing/manual/publish-now.ts';
import { settle } from '#app/domain/publishing/outcome/settle.ts';
import { ATTEMPT_COLUMNS } from '#app/domain/publishing/send/attempt.ts';
import { confirmAttempt, publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { sweepAttempts } from '#app/domain/publishing/sweep.ts';
import { findQueued, makePublisher, makeScheduledPost, standAs } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const later = (seconds: number) => new Date(Date.now() + seconds * 1_000);

type Fault = 'linkedin.500-before' | 'linkedin.500-after';
let counter = 0;

/** A post that LinkedIn took without a word (`fault` after it) or never saw. */
async function unanswered(fault: Fault, by?: Actor) {
  const actor = by ?? (await makePublisher(db, outside.url));
  const content = `A plan that fits on a postcard, ${actor.userId}, ${++counter}.`;
  const postId = await makeScheduledPost(db, actor, { content, dueAt: later(-1) });
  await outside.fault(fault, { match: content });
  await publishPost(db, postId);
  return { actor, postId, content };
}

/** As `unanswered`, handed to its owner. */
async function unconfirmed(fault: Fault, by?: Actor) {
  const { actor, postId, content } = await unanswered(fault, by);
  await sweepAttempts(db, later(600));
  assert.equal((await findPost(db, actor, postId)).isUnconfirmed, true);
  const received = async () => {
    const { attempts } = (await outside.ledger()) as { attempts: { text: string }[] };
    return attempts.map(({ text }) => text).filter((text) => text.includes(actor.userId));
  };
  return { actor, postId, content, received };
}

test('an unconfirmed post can be neither changed nor sent until its owner has decided', async () => {
  const { actor, postId, content } = await unconfirmed('linkedin.500-after');
  const no = { code: 'unconfirmed' };
  await assert.rejects(editPost(db, actor, { postId, content: 'Another text.' }), no);
  await assert.rejects(retryPost(db, actor, postId), no);
  await assert.rejects(publishNow(db, actor, postId), { code: 'failed' });
  const post = await findPost(db, actor, postId);
  assert.deepEqual([post.content, post.status, post.isUnconfirmed], [content, 'failed', true]);
});

test('Post it again sends the very same text, whatever somebody tries meanwhile', async () => {
  const { actor, postId, received } = await unconfirmed('linkedin.500-before');
  await postAgain(db, actor, postId);
  await assert.rejects(editPost(db, actor, { postId, content: 'Another text.' }), { code: 'unconfirmed' });
  await assert.rejects(postAgain(db, actor, postId), { code: 'not_unconfirmed' });
  await publishNow(db, actor, postId);
  await assert.rejects(editPost(db, actor, { postId, hashtags: [] }), { code: 'unconfirmed' });
  await publishPost(db, postId, later(1));
  const [first, second, ...more] = await received();
  assert.ok(first);
  assert.deepEqual([second, more], [first, []]);
  const post = await findPost(db, actor, postId);
  assert.deepEqual([post.status, post.isUnconfirmed], ['published', false]);
});

test('a post that LinkedIn refused after it was posted again can be changed', async () => {
  const { actor, postId } = await unconfirmed('linkedin.500-before');
  await postAgain(db, actor, postId);
  await outside.fault('linkedin.422', { match: actor.userId });
  await publishPost(db, postId, later(1));
  await editPost(db, actor, { postId, content: 'Another text.' });
  assert.equal((await findPost(db, actor, postId)).content, 'Another text.');
});

test('a late refusal of the first attempt does not stop the post that is posted again', async () => {
  const { actor, postId } = await unconfirmed('linkedin.500-before');
  const first = await db
    .selectFrom('publishAttempts')
    .select(ATTEMPT_COLUMNS)
    .where('postId', '=', postId)
    .executeTakeFirstOrThrow();
  await postAgain(db, actor, postId);
  await settle(db, first, { kind: 'refused', code: null, message: 'No', status: 400 });
  assert.equal((await findPost(db, actor, postId)).status, 'generated');
  await publishPost(db, postId);
  assert.equal((await findPost(db, actor, postId)).status, 'published');
});

test('there is nothing to decide about a post that LinkedIn answered to', async () => {
  const actor = await makePublisher(db, outside.url);
  const postId = await makeScheduledPost(db, actor);
  await assert.rejects(postAgain(db, actor, postId), { code: 'not_unconfirmed' });
  await assert.rejects(acknowledgePost(db, actor, { postId, link: '' }), { code: 'not_unconfirmed' });
});

const ADDRESSES: Record<string, string> = {
  'https://www.linkedin.com/feed/update/urn:li:activity:7301/': 'urn:li:activity:7301',
  'https://www.linkedin.com/feed/update/urn%3Ali%3AugcPost%3A7302?utm_source=share': 'urn:li:ugcPost:7302',
  'linkedin.com/feed/update/urn:li:share:7303': 'urn:li:share:7303',
  'https://de.linkedin.com/posts/ada-lovelace_planning-activity-7304-aB_c?x=1': 'urn:li:activity:7304',
  ' https://www.linkedin.com/posts/ada_one-share-7305-Z9x- ': 'urn:li:share:7305',
};

test('the address of a post is read in the shapes in which LinkedIn gives it', async () => {
  for (const [link, urn] of Object.entries(ADDRESSES)) {
    const { actor, postId } = await unconfirmed('linkedin.500-after');
    await acknowledgePost(db, actor, { postId, link });
    const post = await findPost(db, actor, postId);
    assert.deepEqual([link, post.status, post.networkUrn], [link, 'published', urn]);
  }
});

test('anything else that is pasted is refused beside its field, and nothing changes', async () => {
  const { actor, postId } = await unconfirmed('linkedin.500-after');
  for (const link of [
    'yes',
    'https://www.linkedin.com/in/ada/',
    'https://www.linkedin.com/feed/update/urn:li:comment:7301/',
    'https://linkedin.com.evil.example/feed/update/urn:li:share:7303/',
    'https://evil.example/posts/a-activity-7304-aBcd',
    'javascript:alert(1)//www.linkedin.com/feed/update/urn:li:share:7303',
    `https://www.linkedin.com/feed/update/urn:li:share:${'7'.repeat(40)}/`,
  ]) {
    const refused = { code: 'invalid', field: 'link' };
    await assert.rejects(acknowledgePost(db, actor, { postId, link }), refused, link);
  }
  assert.equal((await findPost(db, actor, postId)).isUnconfirmed, true);
});

test('what is sent by hand or found there is dated by the clock of the database, whatever the own one says', async () => {
  const actor = await makePublisher(db, outside.url);
  const ids = [await makeScheduledPost(db, actor), await makeScheduledPost(db, actor)] as const;
  const undecided = { status: 'failed' as const, isUnconfirmed: true };
  await standAs(db, ids[1], undecided);
  const real = Date.now();
  mock.timers.enable({ apis: ['Date'], now: real + 3_600_000 });
  try {
    await publishNow(db, actor, ids[0]);
    await acknowledgePost(db, actor, { postId: ids[1], link: '' });
  } finally {
    mock.timers.reset();
  }
  const { dueAt } = (await findQueued(db, ids[0]))!;
  const { postedAt } = await findPost(db, actor, ids[1]);
  for (const at of [dueAt, postedAt!]) assert.ok(Math.abs(at.getTime() - real) < 60_000, at.toISOString());
});

test('a post that LinkedIn refused as a double is not tried again before it is another one', async () => {
  const actor = await makePublisher(db, outside.url);
  const content = `A plan that fits on a postcard, ${actor.userId}.`;
  for (const dueAt of [later(-1), later(-1)]) {
    await publishPost(db, await makeScheduledPost(db, actor, { content, dueAt }));
  }
  const { postId } = await db
    .selectFrom('postSchedules')
    .select('postId')
    .where('userId', '=', actor.userId)
    .where('status', '=', 'failed')
    .executeTakeFirstOrThrow();
  const refused = { code: 'duplicate', status: 409, message: /already posted this text\. Change it/ };
  await assert.rejects(retryPost(db, actor, postId), refused);
  assert.equal((await findPost(db, actor, postId)).status, 'failed');
  await editPost(db, actor, { postId, content: `${content} And more.` });
  await retryPost(db, actor, postId);
  assert.equal((await findPost(db, actor, postId)).status, 'generated');
});

/** The address under which LinkedIn has the only post with this text; undefined when it has none. */
async function urnOf(content: string): Promise<string | undefined> {
  const { posts } = (await outside.ledger()) as { posts: { text: string; urn: string }[] };
  const [post, ...more] = posts.filter(({ text }) => text.includes(content));
  assert.deepEqual(more, []);
  return post?.urn;
}

const firstAttempt = (postId: string) =>
  db
    .selectFrom('publishAttempts')
    .select(ATTEMPT_COLUMNS)
    .where('postId', '=', postId)
    .orderBy('attempt')
    .executeTakeFirstOrThrow();

type Unanswered = Awaited<ReturnType<typeof unanswered>>;

/** The ways on which a post that LinkedIn has becomes a published one. */
const WAYS: Record<string, (post: Unanswered, urn: string) => Promise<void>> = {
  'the confirming resend': async ({ postId }) => {
    const { id } = await firstAttempt(postId);
    const startedAt = later(-40);
    await db.updateTable('publishAttempts').set({ startedAt }).where('id', '=', id).execute();
    await confirmAttempt(db, id);
  },
  '"It is there"': async ({ actor, postId }, link) => {
    await sweepAttempts(db, later(600));
    await acknowledgePost(db, actor, { postId, link });
  },
  '"Post it again"': async ({ actor, postId }) => {
    await sweepAttempts(db, later(600));
    await postAgain(db, actor, postId);
    await publishPost(db, postId, later(1));
  },
  'a late answer': async ({ postId }, urn) => {
    await sweepAttempts(db, later(600));
    await settle(db, await firstAttempt(postId), { kind: 'published', urn, status: 201 });
  },
};

for (const [way, decide] of Object.entries(WAYS)) {
  test(`a link that somebody pasted takes nothing from the post of another account: ${way}`, async () => {
    const other = await unconfirmed('linkedin.500-before');
    const post = await unanswered('linkedin.500-after');
    const urn = (await urnOf(post.content))!;
    await acknowledgePost(db, other.actor, { postId: other.postId, link: urn });
    await decide(post, urn);
    const { status, isUnconfirmed, networkUrn } = await findPost(db, post.actor, post.postId);
    assert.deepEqual([status, isUnconfirmed, networkUrn], ['published', false, urn]);
    await deletePost(db, other.actor, other.postId);
    assert.equal(await urnOf(post.content), urn);
    const isNamed = way !== '"It is there"';
    assert.equal((await deletePost(db, post.actor, post.postId)).isGoneThere, isNamed);
    assert.equal(await urnOf(post.content), isNamed ? undefined : urn);
  });
}

for (const way of ['the confirming resend', '"Post it again"', 'a late answer']) {
  test(`what LinkedIn names goes before a link that was pasted at another post: ${way}`, async () => {
    const { actor, postId } = await unconfirmed('linkedin.500-before');
    const post = await unanswered('linkedin.500-after', actor);
    const urn = (await urnOf(post.content))!;
    await acknowledgePost(db, actor, { postId, link: urn });
    await WAYS[way]!(post, urn);
    const [named, pasted] = [await findPost(db, actor, post.postId), await findPost(db, actor, postId)];
    assert.deepEqual([named.status, named.networkUrn], ['published', urn]);
    assert.deepEqual([pasted.status, pasted.networkUrn], ['published', null]);
  });
}

test('a link is free again when the post that had it is deleted', async () => {
  const link = `urn:li:share:73${process.pid}1`;
  const first = await unconfirmed('linkedin.500-before');
  await acknowledgePost(db, first.actor, { postId: first.postId, link });
  const second = await unconfirmed('linkedin.500-before', first.actor);
  const input = { postId: second.postId, link };
  const taken = { code: 'link_taken', status: 409, field: 'link' };
  await assert.rejects(acknowledgePost(db, first.actor, input), taken);
  await deletePost(db, first.actor, first.postId);
  await acknowledgePost(db, first.actor, input);
  assert.equal((await findPost(db, first.actor, second.postId)).networkUrn, link);
});
