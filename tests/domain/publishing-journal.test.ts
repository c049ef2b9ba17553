import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { lockPostRow } from '#app/domain/posts/rows.ts';
import { keepAnswer, settleAnswers } from '#app/domain/publishing/answers.ts';
import { beginAttempt } from '#app/domain/publishing/attempt.ts';
import { claimPost } from '#app/domain/publishing/claim.ts';
import { knownEpoch } from '#app/domain/publishing/epoch.ts';
import { testDatabase } from '#tests/database.ts';
import { authorOf } from '#tests/make/linkedin.ts';
import { startOutside } from '#tests/make/outside.ts';
import { makePublisher, makeScheduledPost } from '#tests/make/posts.ts';
import { until } from '#tests/worker/until.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'tidepost-journal-'));
after(() => rmSync(folder, { recursive: true, force: true }));
process.env.DATA_DIR = folder;
const answers = path.join(folder, 'answers');

const outside = await startOutside();
const { db } = await testDatabase();

async function attempted() {
  const actor = await makePublisher(db, outside.url);
  const postId = await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() - 1_000) });
  const claim = (await claimPost(db, postId))!;
  return (await beginAttempt(db, claim, await authorOf(db, claim.userId), await knownEpoch(db)))!;
}

test('an answer is on the disk while the database says nothing, and no longer than that', async () => {
  const publication = await attempted();
  const file = path.join(answers, `${publication.id}.json`);
  const kept = await db.transaction().execute(async (trx) => {
    await lockPostRow(trx, publication.postId);
    const answer = { kind: 'published', urn: 'urn:li:share:8001', status: 201 } as const;
    const writing = keepAnswer(db, publication, answer);
    await until('it is written down', () => existsSync(file));
    return { writing };
  });
  await kept.writing;
  assert.deepEqual(readdirSync(answers), []);
});

test('a file that cannot be read stops no other, stays, and is told to the operator until it is gone', async () => {
  const publication = await attempted();
  mkdirSync(answers, { recursive: true });
  const broken = path.join(answers, 'a-broken.json');
  writeFileSync(broken, '{"publication":');
  const outcome = { kind: 'published', urn: 'urn:li:share:8002', status: 201 };
  writeFileSync(path.join(answers, `${publication.id}.json`), JSON.stringify({ publication, outcome }));
  const faults = () =>
    db.selectFrom('operatorFaults').select('message').where('key', '=', `answers-${hostname()}`).execute();
  await settleAnswers(db);
  assert.deepEqual(readdirSync(answers), ['a-broken.json']);
  assert.match((await faults())[0]!.message, /a-broken\.json/);
  rmSync(broken);
  await settleAnswers(db);
  assert.deepEqual(await faults(), []);
});
