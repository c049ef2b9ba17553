import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createToken } from '#app/domain/accounts/sign-in/api-tokens.ts';
import { replyToTicket } from '#app/domain/support/list-tickets.ts';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { inSession, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser, call } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url, env: { TRUST_PROXY: 'x-forwarded-for' } }));
});

const asked = (more: object = {}) => ({
  name: 'Ada',
  email: 'ada@example.com',
  category: 'billing',
  subject: 'Money',
  message: 'Where is it?',
  ...more,
});

let addresses = 0;
/** Sends from a network of its own, or the address that is named. */
async function submit(body: object, from = `10.1.${++addresses}.1`, more: Record<string, string> = {}) {
  const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': from, ...more };
  const answer = await fetch(`${url}/api/v1/support/submit`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

test('support is asked without signing in, and what is wrong is said beside its field', async () => {
  const { status, body } = await submit(asked());
  assert.equal(status, 201);
  const { _id, number, createdAt, updatedAt, ...ticket } = body.ticket;
  assert.deepEqual(ticket, { ...asked(), status: 'open', answeredAt: null });
  assert.ok(_id && number > 1000 && createdAt === updatedAt);
  const wrong = await submit(asked({ subject: '', email: 'no' }));
  assert.deepEqual(
    [wrong.status, wrong.body.code, Object.keys(wrong.body.fields)],
    [422, 'invalid', ['email', 'subject']],
  );
  const long = await submit(asked({ message: 'x'.repeat(10_300) }));
  assert.deepEqual([long.status, long.body.code], [413, 'too_large']);
  const most = await submit(asked({ message: '語'.repeat(2_500) }));
  assert.equal(most.status, 201);
});

test('with a token the request is of its account, which reads its own alone; a dead token asks nothing', async () => {
  const { db } = database;
  const [ada, bo] = [await makeUser(db), await makeUser(db)];
  const [token, others] = [await tokenOf(db, ada), await tokenOf(db, bo)];
  const sent = await call(url, 'POST', '/support/submit', asked({ email: ada.email }), token);
  assert.equal(sent.status, 201);
  await submit(asked({ email: ada.email }));
  const id = sent.body.ticket._id;
  const admin = await makeUser(db, { isAdmin: true });
  await replyToTicket(db, admin, { ticketId: id, message: 'Here' });
  const { tickets, nextCursor } = (await call(url, 'GET', '/support/tickets', undefined, token)).body;
  assert.deepEqual([tickets.length, tickets[0]._id, nextCursor], [1, id, null]);
  const { ticket } = (await call(url, 'GET', `/support/tickets/${id}`, undefined, token)).body;
  assert.deepEqual(
    ticket.replies.map((reply: { author: string; message: string }) => [reply.author, reply.message]),
    [['support', 'Here']],
  );
  assert.equal((await call(url, 'GET', `/support/tickets/${id}`, undefined, others)).status, 404);
  assert.equal((await call(url, 'GET', '/support/tickets/nonsense', undefined, token)).status, 404);
  assert.equal((await call(url, 'POST', '/support/submit', asked(), 'x'.repeat(43))).status, 401);
  const { secret } = await createToken(db, await inSession(db, ada), { name: 'Reader', scope: 'read' });
  const reading = await call(url, 'POST', '/support/submit', asked(), secret);
  assert.deepEqual([reading.status, reading.body.code], [403, 'insufficient_scope']);
});

test('admins list, search and change the status', async () => {
  const { db } = database;
  const token = await tokenOf(db, await makeUser(db, { isAdmin: true }));
  const { body } = await submit(asked({ subject: 'Findable words' }));
  const list = await call(url, 'GET', '/support/admin/all?q=findable&status=open', undefined, token);
  assert.deepEqual(
    [list.body.tickets.length, list.body.tickets[0]._id, list.body.tickets[0].userId],
    [1, body.ticket._id, null],
  );
  const status = (value: string) =>
    call(url, 'PUT', `/support/admin/${body.ticket._id}/status`, { status: value }, token);
  assert.equal((await status('resolved')).body.ticket.status, 'resolved');
  assert.deepEqual([(await status('gone')).status, (await status('closed')).status], [422, 200]);
  const users = await tokenOf(db, await makeUser(db));
  assert.equal((await call(url, 'GET', '/support/admin/all', undefined, users)).status, 403);
});

const ticketsOf = async (email: string) =>
  (await database.db.selectFrom('supportTickets').select('id').where('email', '=', email).execute()).length;

const counted = async () =>
  (
    await database.pool.query<{ sum: string }>(
      `select coalesce(sum(points), 0) as sum from rate_limits where key like 'asked%' or key like 'ask.%'`,
    )
  ).rows[0]!.sum;

test('a flood from one address, in the name of one e-mail or by one account is refused without a write', async () => {
  const { db } = database;
  const floods: [string, (index: number) => Promise<{ status: number; headers: Headers }>][] = [
    [
      'address',
      (index) => submit(asked({ email: `f${index}@example.com`, subject: `${index}` }), '10.9.9.9'),
    ],
    ['e-mail', (index) => submit(asked({ email: 'flooded@example.com', subject: `${index}` }))],
  ];
  const ada = await makeUser(db);
  const token = await tokenOf(db, ada);
  floods.push([
    'account',
    (index) =>
      call(url, 'POST', '/support/submit', asked({ subject: `${index}`, email: 'own@example.com' }), token),
  ]);
  for (const [name, send] of floods) {
    let index = 0;
    let answer = await send(index);
    while (answer.status === 201 && index < 60) answer = await send(++index);
    assert.deepEqual([name, answer.status], [name, 429]);
    assert.ok(Number(answer.headers.get('Retry-After')) > 0);
    const before = await counted();
    for (let more = 0; more < 5; more += 1) assert.equal((await send(1_000 + more)).status, 429);
    assert.deepEqual([name, await counted()], [name, before]);
  }
  assert.ok((await ticketsOf('flooded@example.com')) <= 10);
  assert.equal((await submit(asked({ email: 'else@example.com' }))).status, 201);
});

/** So many requests of one address, each in the name of an e-mail of its own; how many were taken in. */
async function takenFrom(address: string, count: number): Promise<number> {
  const send = (nth: number) =>
    submit(asked({ email: `${crypto.randomUUID()}@example.com`, subject: `${nth}` }), address);
  const answers = [];
  for (let nth = 0; nth < count; nth += 1) answers.push((await send(nth)).status);
  return answers.filter((status) => status === 201).length;
}

test('the addresses of one network have a share together, and some networks shut nobody else out', async () => {
  for (const inNetwork of [(nth: number) => `2001:db8:77:${nth}::1`, (nth: number) => `203.0.113.${nth}`]) {
    const taken = [];
    for (const nth of [1, 2, 3, 4]) taken.push(await takenFrom(inNetwork(nth), 18));
    assert.deepEqual(taken, [18, 18, 18, 6]);
    const before = await counted();
    assert.equal(await takenFrom(inNetwork(9), 3), 0);
    assert.equal(await counted(), before, 'what is refused is not written down');
  }
  const networks = Array.from({ length: 16 }, (_, nth) => `2001:db8:${100 + nth}::1`);
  const taken = await Promise.all(networks.map((address) => takenFrom(address, 25)));
  assert.deepEqual(taken, Array(16).fill(20));
  assert.equal((await submit(asked({ email: 'not-shut-out@example.com' }))).status, 201);
});

test('whoever has signed in from there asks in the name of their account, though its network is used up', async () => {
  const { db } = database;
  const ada = await makeUser(db);
  const [home, next] = ['2001:db8:88:1::1', '2001:db8:88:2::1'];
  const browser = new Browser(url, { 'X-Forwarded-For': home });
  await browser.post('/login', { email: ada.email, password: PASSWORD });
  for (const nth of [3, 4, 5, 6]) await takenFrom(`2001:db8:88:${nth}::1`, 18);
  const ask = async (from: string) => (await submit(asked({ email: ada.email }), from)).status;
  assert.deepEqual([await ask(next), await ask(home)], [429, 201]);
});
