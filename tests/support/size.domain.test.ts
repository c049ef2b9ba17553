import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { Actor } from '#app/domain/platform/actor.ts';
import { TICKET_RETENTION_DAYS } from '#app/domain/support/limits.ts';
import { listTickets, TicketsQuery } from '#app/domain/support/list-tickets.ts';
import { TicketInput } from '#app/domain/support/schema.ts';
import {
  deleteOldTickets,
  deleteUserTickets,
  listOwnTickets,
  submitTicket,
} from '#app/domain/support/tickets.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';

const ROWS = 100_000;

// One connection, so that what it has scanned is known when it says so.
const { db } = await testDatabase(1);
let [actor, other]: Actor[] = [];

before(async () => {
  [actor, other] = [await makeUser(db), await makeUser(db)];
  // Every fourth of one account that has very many, the others of one address that has as many.
  await sql`insert into support_tickets (user_id, name, email, category, subject, message, status, created_at, asked_at)
    select case when n % 4 = 0 then ${other!.userId}::uuid end, 'Ada', 'many@example.com', 'general',
      'Times ' || md5(n::text), md5((n * 7)::text) || ' ' || md5((n * 11)::text),
      (array['open', 'in_progress', 'resolved'])[1 + n % 3], now() - n * interval '1 minute', now() - n * interval '1 minute'
    from generate_series(1, ${ROWS}::int) n`.execute(db);
  await submitTicket(db, null, inputOf({ subject: 'Quiet hours', message: 'For the mails' }));
  await sql`vacuum analyze support_tickets`.execute(db);
});

const inputOf = (more: object) => TicketInput.parse({ name: 'Ada', email: 'many@example.com', ...more });

/** How much of the table was gone through from its beginning so far, and how many rows an index led to. */
async function scanned() {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ scans: string; fetched: string }>`
    select seq_scan as scans, idx_tup_fetch as fetched from pg_stat_user_tables where relname = 'support_tickets'`.execute(
    db,
  );
  return { scans: Number(rows[0]!.scans), fetched: Number(rows[0]!.fetched) };
}

const MOST_FETCHED = 1_000;

test('however many have asked, nothing that is asked of requests goes through all of them', async () => {
  const list = (query: object) => listTickets(db, TicketsQuery.parse({ limit: 25, ...query }));
  const said = inputOf({ subject: 'One more', message: 'Of it' });
  const acts: Record<string, () => Promise<unknown>> = {
    newest: () => list({}),
    'of a status': () => list({ status: 'resolved' }),
    'of a status that nothing has': () => list({ status: 'closed' }),
    'search of what one has': async () => assert.equal((await list({ q: 'quiet hours' })).rows.length, 1),
    'search of what none has': async () => assert.equal((await list({ q: 'unheard of' })).rows.length, 0),
    'search by number': async () => assert.equal((await list({ q: '#1007' })).rows.length, 1),
    'search within a status': () => list({ q: 'quiet hours', status: 'open' }),
    'later pages': async () => list({ cursor: (await list({})).nextCursor }),
    own: () => listOwnTickets(db, other!, { limit: 20 }),
    'own of who has none': () => listOwnTickets(db, actor!, { limit: 20 }),
    'asked without an account': () => submitTicket(db, null, said),
    'asked again': () => submitTicket(db, null, said),
    'asked with an account': () => submitTicket(db, other!, said),
    'forgetting when nothing is old': () => deleteOldTickets(db, new Date()),
    'forgetting an account without requests': () =>
      db.transaction().execute((trx) => deleteUserTickets(trx, { id: actor!.userId, email: actor!.email })),
  };
  assert.deepEqual(await scanned(), await scanned());
  for (const [name, act] of Object.entries(acts)) {
    const known = await scanned();
    await act();
    const { scans, fetched } = await scanned();
    assert.equal(scans, known.scans, name);
    assert.ok(fetched - known.fetched < MOST_FETCHED, `${name}: ${fetched - known.fetched} rows`);
  }
});

test('what belongs to no account is forgotten so long after the last word in it, with its thread', async () => {
  const now = new Date();
  const ago = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const [late, soon] = [ago(TICKET_RETENTION_DAYS + 1), ago(TICKET_RETENTION_DAYS - 1)];
  const made: Record<string, { askedAt: Date; answeredAt: Date | null; userId?: string }> = {
    old: { askedAt: late, answeredAt: null },
    'old, answered': { askedAt: late, answeredAt: late },
    'answered since': { askedAt: late, answeredAt: soon },
    'asked since': { askedAt: soon, answeredAt: late },
    'of an account': { askedAt: late, answeredAt: late, userId: actor!.userId },
  };
  const ids: Record<string, string> = {};
  for (const [message, times] of Object.entries(made)) {
    const values = { ...inputOf({ subject: 'Kept?', message }), createdAt: late, ...times };
    const ticket = db.insertInto('supportTickets').values(values).returning('id');
    const { id } = await ticket.executeTakeFirstOrThrow();
    await db.insertInto('supportReplies').values({ ticketId: id, kind: 'answer', message }).execute();
    ids[message] = id;
  }
  // More than go at once.
  await sql`insert into support_tickets (name, email, category, subject, message, created_at, asked_at)
    select 'Ada', 'many@example.com', 'general', 'Old', 'Old', ${late}, ${late} from generate_series(1, 1200)`.execute(
    db,
  );
  await deleteOldTickets(db, now);
  await deleteOldTickets(db, now);
  const left = await db
    .selectFrom('supportReplies')
    .select('message')
    .where('ticketId', 'in', Object.values(ids))
    .orderBy('message')
    .execute();
  assert.deepEqual(
    left.map(({ message }) => message),
    ['answered since', 'asked since', 'of an account'],
  );
  const old = db.selectFrom('supportTickets').select('id').where('subject', '=', 'Old').limit(1);
  assert.equal(await old.executeTakeFirst(), undefined);
});
