import assert from 'node:assert/strict';
import path from 'node:path';
import { before, test } from 'node:test';
import { createSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { createThreadLink } from '#app/domain/support/thread-links.ts';
import { submitTicket } from '#app/domain/support/tickets.ts';
import { ROOT } from '#scripts/run.ts';
import { mailsTo, makeUser } from '#tests/fixtures/accounts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { Browser, call } from '#tests/harness/http/browser.ts';
import { startWeb, type Web } from '#tests/harness/web.ts';
import { until } from '#tests/harness/worker/until.ts';

const { db, url: databaseUrl } = await testDatabase();
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
const SHIFTED = path.join(ROOT, 'tests/harness/worker/shifted-clock.ts');
const asked = {
  name: 'Ada',
  email: 'clock@example.com',
  subject: 'Clocks',
  message: 'Whose is it?',
  category: 'general' as const,
};

/** Two processes whose own clocks are wrong, ahead and behind; the database's is not. */
let webs: Web[];
before(async () => {
  webs = await Promise.all([25, -25].map(wrongBy));
});

/** It is ready once it has compared the clocks: until then it takes a session that is over, or none. */
async function wrongBy(minutes: number): Promise<Web> {
  const env = { NODE_OPTIONS: `--import ${SHIFTED}`, CLOCK_SHIFT_MS: String(minutes * MINUTE_MS) };
  const web = await startWeb({ databaseUrl, env });
  const { userId } = await makeUser(db);
  const began = (left: number) => new Date(Date.now() - 30 * DAY_MS + left * MINUTE_MS);
  const [open, over] = [
    await createSession(db, userId, 'api', 'test', began(12)),
    await createSession(db, userId, 'api', 'test', began(-12)),
  ];
  await until('it knows what time it is', async () => {
    const status = async (token: string) => (await call(web.url, 'GET', '/auth/me', undefined, token)).status;
    return (await status(open.token)) === 200 && (await status(over.token)) === 401;
  });
  return web;
}

const isNow = (said: string | Date | null) => {
  const away = Math.abs(new Date(said!).getTime() - Date.now());
  assert.ok(said !== null && away < MINUTE_MS, `${said}`);
};

test('what is asked, answered, noted and written again has the time of the database, whichever process takes it', async () => {
  for (const { url } of webs) {
    const ada = await makeUser(db);
    const token = await tokenOf(db, ada);
    const sent = await call(url, 'POST', '/support/submit', { ...asked, subject: url }, token);
    isNow(sent.body.ticket.createdAt);
    const id = sent.body.ticket._id;
    const desk = await browserOf(db, await makeUser(db, { isAdmin: true }), url);
    for (const act of ['answer', 'note'])
      await desk.post(`/app/admin/support-feedback?open=${id}`, { act, message: `One ${act}` });
    await desk.post(`/app/admin/support-feedback?open=${id}`, { status: 'resolved' });
    await (await browserOf(db, ada, url)).post(`/app/support/${id}`, { message: 'And this?' });
    const ticket = await db.selectFrom('supportTickets').selectAll().where('id', '=', id).executeTakeFirst();
    for (const at of [ticket!.askedAt, ticket!.answeredAt]) isNow(at);
    const replies = await db.selectFrom('supportReplies').selectAll().where('ticketId', '=', id).execute();
    assert.deepEqual(replies.map(({ kind }) => kind).toSorted(), ['answer', 'asker', 'note']);
    for (const { createdAt } of replies) isNow(createdAt);
    const said = { type: 'bug', title: `Clock ${url}`, description: 'It is wrong' };
    const { feedback } = (await call(url, 'POST', '/feedback/submit', said, token)).body;
    isNow(feedback.createdAt);
    await desk.post(`/app/admin/support-feedback?tab=feedback&open=${feedback._id}`, { status: 'planned' });
    const log = await db
      .selectFrom('auditLog')
      .selectAll()
      .where('subjectId', 'in', [id, feedback._id])
      .execute();
    assert.equal(log.length, 4);
    for (const { createdAt } of log) isNow(createdAt);
  }
});

test('the same request is one within a minute also when two processes with two clocks take it', async () => {
  const [one, other] = await Promise.all(webs.map(({ url }) => call(url, 'POST', '/support/submit', asked)));
  assert.equal(one!.status, 201);
  assert.equal(one!.body.ticket._id, other!.body.ticket._id);
});

test('a mailed link ends at the same moment whichever process is asked', async () => {
  const email = 'linked@example.com';
  const ticket = await submitTicket(db, null, { ...asked, email });
  for (const { url } of webs) {
    const left = async (minutes: number) => {
      const at = new Date(Date.now() - 60 * DAY_MS + minutes * MINUTE_MS);
      const { pathname, search } = new URL(createThreadLink(ticket, at).url);
      return (await new Browser(url).get(pathname + search)).status;
    };
    assert.deepEqual([await left(12), await left(-12)], [200, 403]);
  }
  const desk = await browserOf(db, await makeUser(db, { isAdmin: true }), webs[0]!.url);
  await desk.post(`/app/admin/support-feedback?open=${ticket.id}`, { act: 'answer', message: 'Here' });
  const [mail] = await mailsTo(db, email, 'supportAnswered');
  const [, until] = /key=(\w+)\./.exec(decodeURIComponent(mail!.url))!;
  isNow(new Date(Number.parseInt(until!, 36) - 60 * DAY_MS));
});
