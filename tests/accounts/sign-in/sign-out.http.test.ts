import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { Browser } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

const { db, url: databaseUrl } = await testDatabase();
const { url } = await startWeb({ databaseUrl, env: { LOG_LEVEL: 'silent' } });

/** Whether a redirect, as scripts get it, is one to a whole document. */
async function isToDocument(answer: Response): Promise<boolean> {
  const [told, ...values]: [Record<string, number>, ...unknown[]] = JSON.parse(await answer.text());
  const keyOf = `_${values.indexOf('reload') + 1}`;
  return values[told[keyOf]! - 1] === true;
}

test('signing out leads to a new document, as does signing in where somebody else was', async () => {
  const actor = await makeUser(db);
  const browser = await browserOf(db, actor, url);
  await db.deleteFrom('sessions').where('userId', '=', actor.userId).execute();
  const { email } = await makeUser(db, { isAdmin: true });
  const signIn = (from: Browser) => from.post('/login.data', { email, password: PASSWORD });
  assert.equal(await isToDocument(await signIn(browser)), true);
  assert.equal(await isToDocument(await signIn(new Browser(url))), false);
  assert.equal(await isToDocument(await browser.post('/logout.data')), true);
});
