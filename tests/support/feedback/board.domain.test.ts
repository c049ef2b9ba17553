import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { eraseDue } from '#app/domain/account-deletion/erase.ts';
import { requestDeletion } from '#app/domain/account-deletion/request.ts';
import { findFeedback, listBoard } from '#app/domain/feedback/board.ts';
import { deleteUserFeedback } from '#app/domain/feedback/delete-user-data.ts';
import {
  FEEDBACK_DESCRIPTION_MAX,
  FEEDBACK_GROUPS,
  FEEDBACK_PER_DAY,
  FEEDBACK_STATUSES,
  FEEDBACK_TITLE_MAX,
  FEEDBACK_TYPES,
  type FeedbackStatus,
  SIMILAR_MAX,
} from '#app/domain/feedback/limits.ts';
import { listFeedback, setFeedbackStatus } from '#app/domain/feedback/manage.ts';
import { FeedbackInput } from '#app/domain/feedback/schema.ts';
import { findSimilar } from '#app/domain/feedback/similar.ts';
import { submitFeedback } from '#app/domain/feedback/submit.ts';
import { vote } from '#app/domain/feedback/votes.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { until } from '#tests/harness/worker/until.ts';

const { db } = await testDatabase(20);
const LIMIT = 100;
const refusedWith = (code: string) => (error: { code?: string }) => error.code === code;

const input = (title: string, more: object = {}) =>
  FeedbackInput.parse({ type: 'feature_request', title, description: `Why: ${title}`, ...more });
const submit = (actor: Actor, title: string, more: object = {}, now?: Date) =>
  submitFeedback(db, actor, { ...input(title), ...more }, 'form', now);
/** A word that nobody else has used: the tests of this file share a database. */
const newWord = () => `w${crypto.randomUUID().slice(0, 8)}`;
const titlesOf = (rows: { title: string }[]) => rows.map(({ title }) => title);

test('everybody sees what was sent, and nobody who sent it or how they rate', async () => {
  const [actor, other] = [await makeUser(db, { name: 'Ada Quill' }), await makeUser(db)];
  const sent = await submit(actor, 'Posts in two languages', { rating: 4 });
  assert.deepEqual(
    [sent.isOwn, sent.rating, sent.status, sent.upvotes, sent.hasVoted],
    [true, 4, 'new', 0, false],
  );
  const seen = await findFeedback(db, other, sent.id);
  assert.deepEqual([seen.isOwn, seen.rating, seen.title], [false, null, 'Posts in two languages']);
  const told = JSON.stringify(seen);
  for (const word of [actor.userId, actor.email, 'Ada']) assert.ok(!told.includes(word));
  for (const id of [crypto.randomUUID(), 'no-uuid', '']) {
    await assert.rejects(findFeedback(db, other, id), refusedWith('not_found'));
    await assert.rejects(vote(db, other, { feedbackId: id }), refusedWith('not_found'));
  }
});

test('what was declined is seen by its author and by admins alone', async () => {
  const [actor, other] = [await makeUser(db), await makeUser(db)];
  const admin = await makeUser(db, { isAdmin: true });
  const word = newWord();
  const { id } = await submit(actor, `Away with ${word}`);
  await setFeedbackStatus(db, admin, { feedbackId: id, status: 'declined' });
  await assert.rejects(findFeedback(db, other, id), refusedWith('not_found'));
  await assert.rejects(vote(db, other, { feedbackId: id }), refusedWith('not_found'));
  const boardOf = async (reader: Actor) =>
    (await listBoard(db, reader, { sort: 'newest', q: word, limit: LIMIT })).rows.length;
  assert.deepEqual([await boardOf(other), await boardOf(actor)], [0, 1]);
  assert.equal((await listFeedback(db, { q: word, limit: LIMIT })).rows[0]?.email, actor.email);
});

test('a rating of nought is none, and what is no rating is refused', () => {
  for (const rating of [0, null, undefined]) assert.equal(input('A', { rating }).rating, null);
  for (const rating of [-1, 6, 2.5, 'five', Number.NaN]) {
    const { error } = FeedbackInput.safeParse({ ...input('A'), rating });
    assert.equal(error?.issues[0]?.message, 'Please rate from 1 to 5, or leave the rating out');
  }
});

test('titles and descriptions are bounded, in the form and in the database', async () => {
  const actor = await makeUser(db);
  const said = (more: object) =>
    FeedbackInput.safeParse({ ...input('A'), ...more }).error?.issues[0]?.message;
  assert.match(said({ title: 'x'.repeat(FEEDBACK_TITLE_MAX + 1) })!, /The title can have at most/);
  assert.match(said({ description: 'x'.repeat(FEEDBACK_DESCRIPTION_MAX + 1) })!, /The description can have/);
  assert.deepEqual(
    [said({ title: ' \u200b ' }), said({ description: '' })],
    ['Please give it a title', 'Please describe it'],
  );
  assert.equal(said({ type: 'rant' }), 'Please choose a type from the list');
  const long = 'y'.repeat(FEEDBACK_DESCRIPTION_MAX);
  await submit(actor, 'x'.repeat(FEEDBACK_TITLE_MAX), { description: long });
  for (const [column, value] of [
    ['title', 'x'.repeat(FEEDBACK_TITLE_MAX + 1)],
    ['description', `${long}y`],
    ['type', 'rant'],
    ['status', 'open'],
    ['rating', 6],
  ] as const) {
    const query = db.updateTable('feedback').set({ [column]: value });
    await assert.rejects(query.where('userId', '=', actor.userId).execute(), /violates check constraint/);
  }
  const allowed = await sql<{ def: string }>`select pg_get_constraintdef(oid) as def from pg_constraint
    where conname in ('feedback_type_is_known', 'feedback_status_is_known')`.execute(db);
  const definitions = allowed.rows.map(({ def }) => def).join();
  for (const word of Object.keys({ ...FEEDBACK_TYPES, ...FEEDBACK_STATUSES }))
    assert.ok(definitions.includes(`'${word}'`), word);
});

test('however many send at once, one account sends so many within a day, and hears when it may again', async () => {
  const actor = await makeUser(db);
  const now = new Date();
  const before = new Date(now.getTime() - 21 * 3_600_000);
  await submit(actor, 'The first', {}, before);
  const tries = await Promise.allSettled(
    Array.from({ length: FEEDBACK_PER_DAY + 3 }, (_, nth) => submit(actor, `Number ${nth}`, {}, now)),
  );
  assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, FEEDBACK_PER_DAY - 1);
  await assert.rejects(
    submit(actor, 'One more', {}, now),
    (error: { message: string; retryAfter: number }) => {
      assert.equal(
        error.message,
        'You have sent 10 within a day, as much as we can take from one account. You can send this one in 3 h',
      );
      return error.retryAfter === 3 * 3600;
    },
  );
  await submit(actor, 'One more', {}, new Date(now.getTime() + 3 * 3_600_000 + 1000));
});

test('what a form sends twice is one, and what a program sends twice is two', async () => {
  const actor = await makeUser(db);
  const sent = await Promise.all([1, 2, 3].map(() => submit(actor, 'Sent in a hurry')));
  assert.equal(new Set(sent.map(({ id }) => id)).size, 1);
  const byProgram = () => submitFeedback(db, actor, input('By a program'), 'program');
  assert.notEqual((await byProgram()).id, (await byProgram()).id);
});

test('a vote is one for each person, is taken back, and is counted however many press at once', async () => {
  const people = await Promise.all(Array.from({ length: 12 }, () => makeUser(db)));
  const { id } = await submit(people[0]!, 'Wanted by many');
  const count = async () => {
    const { rows } = await sql<{ kept: number; rows: number }>`select upvotes as kept,
      (select count(*)::int from feedback_votes where feedback_id = feedback.id) as rows
      from feedback where id = ${id}`.execute(db);
    return rows[0];
  };
  await Promise.all(
    people.flatMap((one) => [1, 2, 3].map(() => vote(db, one, { feedbackId: id, isWanted: true }))),
  );
  assert.deepEqual(await count(), { kept: 12, rows: 12 });
  const taken = people.slice(0, 5);
  await Promise.all(
    taken.flatMap((one) => [1, 2].map(() => vote(db, one, { feedbackId: id, isWanted: false }))),
  );
  assert.deepEqual(await count(), { kept: 7, rows: 7 });
  await Promise.all(people.flatMap((one) => [1, 2, 3].map(() => vote(db, one, { feedbackId: id }))));
  const pressed = await count();
  assert.equal(pressed!.kept, pressed!.rows);
  const one = await makeUser(db);
  const [up, back] = [await vote(db, one, { feedbackId: id }), await vote(db, one, { feedbackId: id })];
  assert.deepEqual([up.hasVoted, back.hasVoted, up.upvotes - back.upvotes], [true, false, 1]);
});

test('who goes takes their feedback and their votes along, and the numbers stay right', async () => {
  const [author, voter, other] = [await makeUser(db), await makeUser(db), await makeUser(db)];
  const gone = await submit(voter, 'Of somebody who goes');
  const stays = await submit(author, 'Of somebody who stays');
  for (const actor of [voter, other]) {
    await vote(db, actor, { feedbackId: stays.id });
    await vote(db, actor, { feedbackId: gone.id });
  }
  await requestDeletion(db, voter, null);
  await eraseDue(db, new Date(Date.now() + 60 * 86_400_000));
  await assert.rejects(findFeedback(db, author, gone.id), refusedWith('not_found'));
  assert.equal((await findFeedback(db, author, stays.id)).upvotes, 1);
});

test('the board goes by votes or by age, page by page, and shows nothing twice', async () => {
  const actor = await makeUser(db);
  const word = newWord();
  const at = (nth: number) => new Date(Date.UTC(2026, 0, nth));
  const voters = await Promise.all([1, 2, 3].map(() => makeUser(db)));
  // Those of one number of votes go by age, also when they are of one instant.
  const votes = [0, 2, 1, 2, 0, 3, 0];
  for (const [nth, count] of votes.entries()) {
    const { id } = await submit(actor, `${word} ${nth}`, {}, at(nth === 3 ? 1 : nth));
    for (const voter of voters.slice(0, count)) await vote(db, voter, { feedbackId: id });
  }
  const nthOf = (rows: { title: string }[]) => titlesOf(rows).map((title) => Number(title.split(' ')[1]));
  const walk = async (sort: 'votes' | 'newest' | 'own', limit: number) => {
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await listBoard(db, actor, { sort, q: word, limit, cursor });
      seen.push(...nthOf(page.rows));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    return seen;
  };
  for (const limit of [1, 2, 3, 100]) {
    const byVotes = await walk('votes', limit);
    assert.deepEqual([byVotes[0], byVotes[3], byVotes.slice(4)], [5, 2, [6, 4, 0]]);
    assert.deepEqual(byVotes.slice(1, 3).toSorted(), [1, 3]);
    const byAge = await walk('newest', limit);
    assert.deepEqual([byAge.slice(0, 4), byAge[6]], [[6, 5, 4, 2], 0]);
    assert.deepEqual(await walk('own', limit), byAge);
  }
  const other = await makeUser(db);
  assert.deepEqual((await listBoard(db, other, { sort: 'own', limit: LIMIT })).rows, []);
  const { nextCursor } = await listBoard(db, actor, { sort: 'votes', q: word, limit: 1 });
  for (const [sort, cursor] of [
    ['newest', nextCursor!],
    ['votes', 'WzEsMl0'],
    ['votes', ''],
    ['votes', Buffer.from('[1e2,0,"x"]').toString('base64url')],
  ] as const) {
    await assert.rejects(listBoard(db, actor, { sort, limit: 2, cursor }), refusedWith('malformed'));
  }
});

test('it is searched as it stands, and by type and status', async () => {
  const [actor, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })];
  const word = newWord();
  await submit(actor, `100% of_${word}`);
  await submit(actor, 'Elsewhere', { type: 'bug', description: `It says ${word.toUpperCase()} twice` });
  const { id } = await submit(actor, `Done ${word}`);
  await setFeedbackStatus(db, admin, { feedbackId: id, status: 'completed' });
  const found = async (query: object) => {
    const { rows } = await listBoard(db, actor, { sort: 'newest', limit: LIMIT, ...query });
    return titlesOf(rows).toSorted();
  };
  assert.equal((await found({ q: word })).length, 3);
  assert.deepEqual(await found({ q: `0% of_${word}` }), [`100% of_${word}`]);
  assert.deepEqual(await found({ q: `100_ of_${word}` }), []);
  assert.deepEqual(await found({ q: word, type: 'bug' }), ['Elsewhere']);
  assert.deepEqual(await found({ q: word, status: 'completed' }), [`Done ${word}`]);
});

test('admins filter by one status or by those that belong together', async () => {
  const [actor, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })];
  const word = newWord();
  for (const status of Object.keys(FEEDBACK_STATUSES) as FeedbackStatus[]) {
    const { id } = await submit(actor, `${status} ${word}`);
    const done = await setFeedbackStatus(db, admin, { feedbackId: id, status });
    assert.deepEqual([done.status, done.name, done.email], [status, actor.name, actor.email]);
    await setFeedbackStatus(db, admin, { feedbackId: id, status });
  }
  const statusesOf = async (status?: FeedbackStatus | 'open' | 'resolved' | 'closed') =>
    (await listFeedback(db, { q: word, status, limit: LIMIT })).rows.map((row) => row.status).toSorted();
  assert.deepEqual(await statusesOf(), Object.keys(FEEDBACK_STATUSES).toSorted());
  assert.deepEqual(await statusesOf('planned'), ['planned']);
  for (const group of ['open', 'resolved', 'closed'] as const)
    assert.deepEqual(await statusesOf(group), FEEDBACK_GROUPS[group].toSorted());
  assert.deepEqual(Object.values(FEEDBACK_GROUPS).flat().toSorted(), await statusesOf());
  const entries = await db
    .selectFrom('auditLog')
    .select(['action', 'subjectId', 'detail'])
    .where('adminId', '=', admin.userId)
    .orderBy('id')
    .execute();
  // What is new already does not become it, and the same a second time is nothing that was done.
  assert.equal(entries.length, 5);
  assert.deepEqual(entries[0]?.detail, { status: 'reviewed', before: { status: 'new' } });
  const page = await listFeedback(db, { q: word, limit: 4 });
  const next = await listFeedback(db, { q: word, limit: 4, cursor: page.nextCursor! });
  assert.equal(new Set([...page.rows, ...next.rows].map(({ id }) => id)).size, 6);
  const nobody = { feedbackId: crypto.randomUUID(), status: 'planned' as const };
  await assert.rejects(setFeedbackStatus(db, admin, nobody), refusedWith('not_found'));
});

test('what may be meant by a new title is found, the likest first, and what is over is not', async () => {
  const [actor, other] = [await makeUser(db), await makeUser(db)];
  const admin = await makeUser(db, { isAdmin: true });
  await submit(other, 'Dark theme for the calendar');
  await submit(other, 'A calendar that prints on one page');
  await submit(other, 'Export the payments as a spreadsheet');
  const over = await submit(other, 'Dark theme for the whole calendar');
  await setFeedbackStatus(db, admin, { feedbackId: over.id, status: 'completed' });
  const like = async (title: string) => titlesOf(await findSimilar(db, actor, title));
  assert.equal((await like('calendar dark theme'))[0], 'Dark theme for the calendar');
  assert.deepEqual(await like('dark theme'), ['Dark theme for the calendar']);
  assert.equal(
    (await like('Exporting payments to a spreadsheet'))[0],
    'Export the payments as a spreadsheet',
  );
  for (const title of ['', 'Dar', 'Shorter mails on Mondays, please', "%' or 1=1 --"]) {
    assert.deepEqual(await like(title), [], title);
  }
  for (const title of ['Fax', 'Faxes', 'Fax it', 'Faxing', 'Fax me']) await submit(other, title);
  assert.deepEqual(await like(' Fax '), [], 'three letters are like nothing yet');
  assert.equal((await like('Faxe')).length, SIMILAR_MAX);
});

test('however many go at once who voted for the same and for one another, all of them go', async () => {
  const [stays, ...leaving] = await Promise.all(Array.from({ length: 5 }, () => makeUser(db)));
  const rows = Array.from({ length: 400 }, (_, nth) => ({
    userId: stays!.userId,
    type: 'bug' as const,
    title: `Of all ${nth}`,
    description: 'So it is',
  }));
  const all = await db.insertInto('feedback').values(rows).returning('id').execute();
  const own = await Promise.all(leaving.map((actor) => submit(actor, `Of ${actor.email}`)));
  // Each votes in an order of their own: the second in that of the first turned round.
  for (const [nth, { userId }] of leaving.entries()) {
    const ids = [...all, ...own].map(({ id }) => id);
    const votes = (nth % 2 ? ids.toReversed() : ids).map((feedbackId) => ({ feedbackId, userId }));
    await db.insertInto('feedbackVotes').values(votes).execute();
  }
  for (const actor of leaving) await requestDeletion(db, actor, null);
  const later = new Date(Date.now() + 60 * 86_400_000);
  // Others vote for the same meanwhile, each for one and taken back.
  const voters = await Promise.all(Array.from({ length: 6 }, () => makeUser(db)));
  const votes = voters.flatMap((voter) =>
    all.slice(0, 20).map(async ({ id: feedbackId }) => {
      await vote(db, voter, { feedbackId, isWanted: true });
      await vote(db, voter, { feedbackId, isWanted: false });
    }),
  );
  await Promise.all([...leaving.map(() => eraseDue(db, later)), ...votes]);
  const left = await db
    .selectFrom('users')
    .select('id')
    .where(
      'id',
      'in',
      leaving.map(({ userId }) => userId),
    )
    .execute();
  assert.deepEqual(left, []);
  const voted = db.selectFrom('feedback').select('id').where('userId', '=', stays!.userId);
  assert.deepEqual(await voted.where('upvotes', '<>', 0).execute(), []);
});

test('who goes locks what they voted for in one order: nothing is held of what comes after what they wait for', async () => {
  const [author, voter] = [await makeUser(db), await makeUser(db)];
  // They lie in the table the other way round than they are locked.
  const ids = Array.from({ length: 20 }, () => crypto.randomUUID())
    .toSorted()
    .toReversed();
  for (const id of ids) {
    const row = { id, userId: author.userId, type: 'bug' as const, title: id, description: 'So it is' };
    await db.insertInto('feedback').values(row).execute();
    await db.insertInto('feedbackVotes').values({ feedbackId: id, userId: voter.userId }).execute();
  }
  const rest = ids.slice(0, -1);
  let going: Promise<void> | undefined;
  await db.transaction().execute(async (trx) => {
    const locked = (some: string[]) =>
      trx.selectFrom('feedback').select('id').where('id', 'in', some).forUpdate().skipLocked().execute();
    assert.equal((await locked(ids.slice(-1))).length, 1);
    going = db.transaction().execute((other) => deleteUserFeedback(other, voter.userId));
    await until('it waits', async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`.execute(db);
      return rows.length > 0;
    });
    assert.equal((await locked(rest)).length, rest.length);
  });
  await going;
  const votes = db.selectFrom('feedbackVotes').select('feedbackId').where('userId', '=', voter.userId);
  assert.deepEqual(await votes.execute(), []);
});
