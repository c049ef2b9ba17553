import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { approvePost } from '#app/domain/publishing/approval/approve.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { findTopic } from '#app/domain/topics/topics.ts';
import { makePublisher, makeScheduledPost, makeTopic, standAs } from '#tests/fixtures/posts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb } from '#tests/harness/web.ts';

const outside = await startOutside();
const { db, url: databaseUrl } = await testDatabase();
const DAY = 86_400_000;
const SENTENCE = /You approved the last (<!-- -->)?ten(<!-- -->)? posts about “(<!-- -->)?Calm handovers/;
const PAGES = ['/app/dashboard', '/app/scheduled'];
let origin: string;

before(async () => {
  origin = (await startWeb({ databaseUrl })).url;
});

async function somebody() {
  const actor = await makePublisher(db, outside.url);
  await saveSettings(db, actor, { requireApproval: true });
  const { id: topicId } = await makeTopic(db, actor, 'Calm handovers');
  for (let nth = 1; nth <= 10; nth++) {
    const postId = await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() + (nth + 1) * DAY) });
    await db.updateTable('posts').set({ topicId }).where('id', '=', postId).execute();
    await standAs(db, postId, { status: 'pending' });
    await approvePost(db, actor, postId);
  }
  const browser = await browserOf(db, actor, origin);
  return { actor, topicId, browser };
}

test('the dashboard and the queue offer it, until it is answered', async () => {
  for (const [verb, from, said, approval] of [
    ['trust', PAGES[0]!, 'Posts about “Calm handovers” are published without asking from now on', 'publish'],
    ['ask', PAGES[1]!, 'You are asked before each post about “Calm handovers”, as before', 'settings'],
  ] as const) {
    const { actor, topicId, browser } = await somebody();
    for (const page of PAGES) {
      const html = await browser.read(page);
      assert.match(html, SENTENCE, page);
      assert.match(html, /Publish without asking/);
      assert.match(html, /Keep asking/);
    }
    assert.doesNotMatch(await browser.read('/app/scheduled?cursor='), SENTENCE);
    const answer = await browser.post(`/app/topics/${topicId}/${verb}`, { from });
    assert.equal(answer.headers.get('Location'), from);
    assert.ok((await browser.read(from)).includes(said));
    for (const page of PAGES) assert.doesNotMatch(await browser.read(page), SENTENCE, page);
    assert.equal((await findTopic(db, actor, topicId)).approval, approval);
  }
});

test('an answer leads nowhere but to a list of ours', async () => {
  const { topicId, browser } = await somebody();
  const answer = await browser.post(`/app/topics/${topicId}/ask`, { from: '//evil.example' });
  assert.equal(answer.headers.get('Location'), '/app/topics');
});
