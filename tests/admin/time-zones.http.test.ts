import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { mainOf, wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

const PAGES = {
  '/app/admin?tab=email': 'Times in Asia/Tokyo. Today, this week and this month begin in UTC.',
  '/app/admin?tab=visits': 'Times in Asia/Tokyo. Today, this week and this month begin in UTC.',
  '/app/admin/operations': 'Times in Asia/Tokyo.',
  '/app/admin/operations/list?of=due': 'Times in Asia/Tokyo.',
  '/app/admin/writing': 'Times in Asia/Tokyo, days in UTC.',
  '/app/admin/support-feedback': 'Times in Asia/Tokyo.',
  '/app/admin/support-feedback?tab=feedback': 'Times in Asia/Tokyo.',
};

test('a page of the desk that shows times says of which zone they are, and where its days are of another', async () => {
  const { db, url: databaseUrl } = await testDatabase();
  const { url } = await startWeb({ databaseUrl });
  const admin = await makeUser(db, { isAdmin: true });
  await db.updateTable('users').set({ timeZone: 'Asia/Tokyo' }).where('id', '=', admin.userId).execute();
  const desk = await browserOf(db, { ...admin, timeZone: 'Asia/Tokyo' }, url);
  for (const [address, words] of Object.entries(PAGES)) {
    const shown = wordsOf(mainOf(await (await desk.get(address)).text()));
    assert.ok(shown.includes(words), `${address}: ${shown.slice(0, 300)}`);
  }
  const ofLinkedIn = await (await desk.get('/app/admin/operations/list?of=linkedin')).text();
  assert.ok(!wordsOf(mainOf(ofLinkedIn)).includes('Asia/Tokyo'));
});
