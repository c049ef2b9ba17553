import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Db } from '#app/db/client.ts';
import { eraseDue } from '#app/domain/account-deletion/erase.ts';
import { requestDeletion } from '#app/domain/account-deletion/request.ts';
import { isPassword } from '#app/domain/accounts/password/password.ts';
import { startSignUp, verifySignUp } from '#app/domain/accounts/sign-up/sign-ups.ts';
import { deliverMail } from '#app/domain/email/send.ts';
import { revokeAccess } from '#app/domain/linkedin/connect/disconnect.ts';
import { withAccessToken } from '#app/domain/linkedin/connection.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { fetchProfile } from '#app/integrations/linkedin/oauth.ts';
import { aMinuteLater, codeFor, makeUser, PASSWORD, signUpInput } from '#tests/fixtures/accounts.ts';
import { fillAccount, tablesWith } from '#tests/fixtures/full-account.ts';
import { makeConnection } from '#tests/fixtures/linkedin.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makePublisher } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { nobody, startOutside } from '#tests/harness/outside/sandbox.ts';
import { withEnv } from '#tests/harness/with-env.ts';

const outside = await startOutside();
process.env.SMTP_URL = outside.smtpUrl;
const { db, pool } = await testDatabase();
const DAY_MS = 86_400_000;
const MARKER = 'Quillfeather';

/** Somebody of whom there is something everywhere, and who has asked to be deleted. */
async function makeLeaver(): Promise<Actor & { memberSub: string; token: string }> {
  const actor = await makePublisher(db, outside.url);
  await fillAccount(db, actor, MARKER);
  const { token, authorUrn } = (await withAccessToken(db, actor.userId))!;
  await requestDeletion(db, { ...actor, name: MARKER }, null);
  return { ...actor, memberSub: authorUrn.split(':').at(-1)!, token };
}

/** The same without a consent at LinkedIn: its token cannot be read. */
async function makeLeaverQuickly() {
  const actor = await makeUser(db);
  await makePlan(db, actor, 1);
  await makeConnection(db, actor, { memberId: `member-${actor.userId}` });
  await fillAccount(db, actor, MARKER);
  await requestDeletion(db, { ...actor, name: MARKER }, null);
  return { ...actor, memberSub: `member-${actor.userId}`, token: '' };
}

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const tracesOf = ({ userId, email, memberSub }: Awaited<ReturnType<typeof makeLeaver>>) =>
  tablesWith(pool, [MARKER, userId, email, memberSub]);

/** Sends the mails that say that it is done. */
async function sendMails(): Promise<void> {
  const waiting = await db.selectFrom('mails').select('id').where('kind', '=', 'accountDeleted').execute();
  for (const { id } of waiting) await deliverMail(db, id);
}

test('66 after a deletion no table has anything of the person, and the payments are there without them', async () => {
  const leaver = await makeLeaver();
  // Before they signed up, or signed out.
  const { email } = leaver;
  const asked = {
    name: 'Somebody',
    email,
    category: 'general' as const,
    subject: 'Prices',
    message: 'What does it cost?',
  };
  await db.insertInto('supportTickets').values(asked).execute();
  const before = await tracesOf(leaver);
  for (const table of [
    'users',
    'posts',
    'publish_attempts',
    'mails',
    'payments',
    'generation_runs',
    'generation_attempts',
    'facts',
  ])
    assert.ok(before.includes(table), `${table} among ${before}`);
  await eraseDue(db, inDays(6.99));
  assert.deepEqual(await tracesOf(leaver), before, 'before its time');
  await eraseDue(db, inDays(7));
  // The address is kept for the last mail, until that is out.
  assert.deepEqual(await tablesWith(pool, [leaver.email]), ['mails']);
  await sendMails();
  assert.deepEqual(await tracesOf(leaver), []);
  const { mails } = await (await fetch(`${outside.url}/api/mails?to=${leaver.email}`)).json();
  assert.equal(mails[0].subject, 'Your Tidepost account is deleted');
  await assert.rejects(fetchProfile(leaver.token), { status: 401 });
  const { rows } = await pool.query('select * from payments where user_id is null');
  assert.ok(rows.length >= 2);
  for (const row of rows) {
    assert.ok(row.transaction_id && row.amount_minor > 0 && row.currency_code && row.created_at);
    assert.ok(!['pending', 'active'].includes(row.status), row.status);
  }
});

test('66 the same address can sign up anew', async () => {
  const leaver = await makeLeaver();
  await eraseDue(db, inDays(7));
  await sendMails();
  await startSignUp(db, signUpInput({ email: leaver.email, name: 'New' }));
  const otp = await codeFor(db, leaver.email);
  const { userId } = await verifySignUp(db, { email: leaver.email, otp });
  assert.notEqual(userId, leaver.userId);
  const user = await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow();
  assert.ok(await isPassword(user.passwordHash, PASSWORD));
  await aMinuteLater(db, leaver.email);
});

test('66 a worker killed at any statement of a deletion leaves nothing that the next one does not finish', async () => {
  /** The database of a process that dies before its nth statement. */
  const dyingAt = (nth: number): Db => {
    let count = 0;
    return db.withPlugin({
      transformQuery: ({ node }) => {
        count += 1;
        if (count >= nth) throw new Error('killed');
        return node;
      },
      transformResult: async ({ result }) => result,
    });
  };
  let nth = 1;
  for (let isOver = false; !isOver; nth += 1) {
    const leaver = await makeLeaverQuickly();
    isOver = await eraseDue(dyingAt(nth), inDays(7)).then(
      () => true,
      () => false,
    );
    await eraseDue(db, inDays(7));
    await sendMails();
    assert.deepEqual(await tracesOf(leaver), [], `killed at statement ${nth}`);
    assert.ok(nth < 40, 'it ends');
  }
  assert.ok(nth > 10, `${nth} statements`);
});

test('66 LinkedIn that is away is asked again, and holds nothing up for more than a day', async () => {
  const [away, gone] = [await makeLeaver(), await makeLeaver()];
  const unreachable = { LINKEDIN_AUTH_URL: await nobody() };
  await withEnv(unreachable, () => eraseDue(db, inDays(7)));
  const left = await tracesOf(away);
  assert.ok(left.includes('linkedin_connections') && left.includes('users'), `${left}`);
  for (const table of ['posts', 'publish_attempts', 'generation_runs', 'sessions'])
    assert.equal(
      (await pool.query(`select from ${table} where user_id = $1`, [away.userId])).rowCount,
      0,
      table,
    );
  await eraseDue(db, inDays(7));
  assert.ok((await tracesOf(away)).length > 0, 'not asked again at once');

  await withEnv(unreachable, () => eraseDue(db, new Date(inDays(7).getTime() + 16 * 60_000)));
  assert.ok((await tracesOf(gone)).length > 0);
  await withEnv(unreachable, () => eraseDue(db, inDays(8.01)));
  await sendMails();
  assert.deepEqual(await tracesOf(gone), []);
  assert.deepEqual(await tracesOf(away), []);
});

test('66 a token that LinkedIn could be asked to end is ended after it was away', async () => {
  const leaver = await makeLeaver();
  await withEnv({ LINKEDIN_AUTH_URL: await nobody() }, async () =>
    assert.equal(await revokeAccess(db, leaver.userId, { isLastAttempt: false }), false),
  );
  assert.equal((await fetchProfile(leaver.token)).sub, leaver.memberSub);
  assert.equal(await revokeAccess(db, leaver.userId, { isLastAttempt: false }), true);
  await assert.rejects(fetchProfile(leaver.token), { status: 401 });
});
