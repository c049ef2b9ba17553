import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { postShape } from '#app/domain/posts/api-shape.ts';
import { listApiPosts, listPosts } from '#app/domain/posts/lists/list.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeAttempt } from '#tests/fixtures/attempts.ts';
import { makeConnection } from '#tests/fixtures/linkedin.ts';
import { makeScheduledPost, standAs } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const AT = new Date(databaseNow().getTime() - 60_000);

type Standing = Parameters<typeof standAs>[2];
const over = (standing: Standing): Standing => ({ dueAt: null, ...standing });
const STANDINGS: Standing[] = [
  { status: 'generated' },
  { status: 'pending' },
  over({ status: 'published', postedAt: AT }),
  over({ status: 'failed', failure: 'refused', reason: 'No', issueResolved: true }),
  over({ status: 'failed', failure: 'duplicate', reason: 'A double' }),
  over({ status: 'failed', failure: 'forbidden', reason: 'Not allowed' }),
  over({ status: 'failed', failure: 'too_late', reason: 'Too late' }),
  over({ status: 'failed', failure: 'unconfirmed', reason: 'Who knows', isUnconfirmed: true }),
];
const ended = { finishedAt: AT, resolvedAt: AT };
const ATTEMPTS = [
  undefined,
  { state: 'sending' },
  { state: 'unknown', finishedAt: AT },
  { state: 'unknown', ...ended },
  { state: 'refused', ...ended },
  { state: 'not_accepted', ...ended },
] as const;

async function everyKind() {
  const actor = await makeUser(db);
  let day = 0;
  for (const standing of STANDINGS) {
    for (const attempt of ATTEMPTS) {
      day += 1;
      const id = await makeScheduledPost(db, actor, {
        dueAt: new Date(databaseNow().getTime() + day * 86_400_000),
      });
      const networkUrn = `urn:li:share:${day}`;
      await standAs(db, id, { ...standing, ...(standing.status === 'published' && { networkUrn }) });
      if (attempt) await makeAttempt(db, actor, id, { networkUrn, ...attempt });
    }
  }
  return actor;
}

test('programs are told of each post what its pages know', async () => {
  const actor = await everyKind();
  for (const connects of [false, true]) {
    if (connects) await makeConnection(db, actor, {});
    for (const query of [
      {},
      { limit: 7 },
      ...(['failed', 'published', 'pending'] as const).map((status) => ({ status })),
    ]) {
      let cursor: string | undefined;
      let pages = 0;
      do {
        const asked = { limit: 50, ...query, cursor };
        const [whole, told] = [await listPosts(db, actor, asked), await listApiPosts(db, actor, asked)];
        assert.ok(whole.rows.length > 0);
        const shapes = (rows: Parameters<typeof postShape>[0][]) =>
          rows.map((row) => postShape(row, 'Asia/Kolkata'));
        assert.deepEqual(shapes(told.rows), shapes(whole.rows));
        assert.equal(told.nextCursor, whole.nextCursor);
        cursor = told.nextCursor ?? undefined;
        pages += 1;
      } while (cursor);
      assert.equal(pages > 1, 'limit' in query);
    }
  }
});
