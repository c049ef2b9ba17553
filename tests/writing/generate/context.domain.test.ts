import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '#app/db/client.ts';
import { listTurns } from '#app/domain/topics/turns.ts';
import { storeBrief } from '#app/domain/writing/generate/brief-store.ts';
import { loadContext, withLess } from '#app/domain/writing/generate/context.ts';
import { gateContextOf } from '#app/domain/writing/generate/validate.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeScheduledPost, makeTopic } from '#tests/fixtures/posts.ts';
import { composedOf } from '#tests/fixtures/runs.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const HOUR = 3_600_000;
const POSTS = 32;

/** What two posts say, by how many posts came after them. */
const SAID: Record<number, string> = {
  28: 'the harbour keeps two ledgers',
  29: 'the harbour keeps two ledgers',
  30: 'an orchard counts wet baskets',
  31: 'an orchard counts wet baskets',
};

test('ten openings and closings, thirty theses and the words of thirty posts are held against a text', async () => {
  const actor = await makeUser(db, {});
  const { userId } = actor;
  await makeTopic(db, actor, 'Planning');
  for (let nth = 0; nth < POSTS; nth += 1) {
    const content = `Opening ${nth}\n\n${SAID[nth] ?? `middle${nth}`}\n\nClosing ${nth}`;
    const postId = await makeScheduledPost(db, actor, { content });
    const at = new Date(Date.now() - (nth + 1) * HOUR);
    await db.updateTable('posts').set({ createdAt: at }).where('id', '=', postId).execute();
    const composed = composedOf(content);
    const draft = { ...composed.draft, thesis: `Thesis ${nth}` };
    await transact(db, (trx) => storeBrief(trx, { postId, userId }, { ...composed, draft }, at));
  }
  const [topic] = await listTurns(db, userId);
  const context = await loadContext(db, userId, topic!);
  const first = (count: number, of: string) => Array.from({ length: count }, (_, nth) => `${of} ${nth}`);
  for (const { openings, closings, theses, phrases } of [
    context.data,
    gateContextOf(context, ''),
    gateContextOf(withLess(context), ''),
  ]) {
    assert.deepEqual([openings, closings], [first(10, 'Opening'), first(10, 'Closing')]);
    assert.deepEqual(theses, first(30, 'Thesis'));
    assert.ok(phrases.includes('the harbour keeps two'));
    assert.ok(!phrases.some((phrase) => phrase.includes('orchard')));
  }
});
