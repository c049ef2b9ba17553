import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { listBoard } from '#app/domain/feedback/board.ts';
import { listFeedback } from '#app/domain/feedback/manage.ts';
import { findSimilar } from '#app/domain/feedback/similar.ts';
import { submitFeedback } from '#app/domain/feedback/submit.ts';
import { vote } from '#app/domain/feedback/votes.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';

const ROWS = 30_000;

// One connection, so that what it has scanned is known when it says so.
const { db } = await testDatabase(1);
let actor: Actor;

before(async () => {
  actor = await makeUser(db);
  const other = await makeUser(db);
  await sql`insert into feedback (user_id, type, title, description, status, upvotes, created_at)
    select ${other.userId}, 'bug', 'Wish ' || md5(n::text), md5((n * 7)::text) || ' ' || md5((n * 11)::text),
      (array['new', 'reviewed', 'planned', 'in_progress'])[1 + n % 4], n % 500, now() - n * interval '1 minute'
    from generate_series(1, ${ROWS}::int) n`.execute(db);
  await sql`insert into feedback (user_id, type, title, description) values
    (${other.userId}, 'bug', 'Quiet hours for the mails', 'None at night')`.execute(db);
  await sql`vacuum analyze feedback`.execute(db);
});

/** How often the whole table was gone through so far. */
async function scans(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ scans: string }>`select seq_scan as scans from pg_stat_user_tables
    where relname = 'feedback'`.execute(db);
  return Number(rows[0]!.scans);
}

test('however much there is, no list and no search goes through all of it', async () => {
  const page = { limit: 25 };
  const reads: Record<string, () => Promise<{ rows: unknown[] }>> = {
    votes: () => listBoard(db, actor, { ...page, sort: 'votes' }),
    newest: () => listBoard(db, actor, { ...page, sort: 'newest' }),
    own: () => listBoard(db, actor, { ...page, sort: 'own' }),
    status: () => listBoard(db, actor, { ...page, sort: 'newest', status: 'planned' }),
    'a status that nothing has': () => listFeedback(db, { ...page, status: 'completed' }),
    'admins, a group': () => listFeedback(db, { ...page, status: 'open' }),
    search: () => listBoard(db, actor, { ...page, sort: 'votes', q: 'quiet hours' }),
    'search of admins': () => listFeedback(db, { ...page, q: 'none at night' }),
    'later pages': async () => {
      const { nextCursor } = await listBoard(db, actor, { ...page, sort: 'votes' });
      return listBoard(db, actor, { ...page, sort: 'votes', cursor: nextCursor! });
    },
    similar: async () => ({ rows: await findSimilar(db, actor, 'Quieter hours for mails') }),
    submit: async () => {
      const said = { type: 'bug', title: 'One more', description: 'Of it', rating: null } as const;
      const { id } = await submitFeedback(db, actor, said);
      return { rows: [await vote(db, actor, { feedbackId: id })] };
    },
  };
  assert.equal(await scans(), await scans());
  for (const [name, read] of Object.entries(reads)) {
    const known = await scans();
    const { rows } = await read();
    assert.equal(await scans(), known, name);
    if (/search|similar/.test(name)) assert.equal(rows.length, 1, name);
  }
});
