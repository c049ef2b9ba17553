import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { listFaultKeys } from '#app/domain/platform/operator-alerts.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { lockPostRow } from '#app/domain/posts/rows.ts';
import { SpooledResponse, settleSpooled, spoolResponse } from '#app/domain/publishing/outcome/spool.ts';
import { readIdentity, releaseEpoch } from '#app/domain/publishing/safety/epoch.ts';
import { beginAttempt } from '#app/domain/publishing/send/attempt.ts';
import { claimPost } from '#app/domain/publishing/send/claim.ts';
import type { PostOutcome } from '#app/integrations/linkedin/posts.ts';
import { ROOT } from '#scripts/run.ts';
import { authorOf } from '#tests/fixtures/linkedin.ts';
import { makePublisher, makeScheduledPost } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { until } from '#tests/harness/worker/until.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'tidepost-journal-'));
after(() => rmSync(folder, { recursive: true, force: true }));
process.env.DATA_DIR = folder;
const answers = path.join(folder, 'answers');

const outside = await startOutside();
const { db, url } = await testDatabase();

beforeEach(() => rmSync(answers, { recursive: true, force: true }));

async function attempted(content?: string) {
  const actor = await makePublisher(db, outside.url);
  const postId = await makeScheduledPost(db, actor, { content, dueAt: new Date(Date.now() - 1_000) });
  const claim = (await claimPost(db, postId))!;
  return (await beginAttempt(db, claim, await authorOf(db, claim.userId), await readIdentity(db)))!;
}

let counter = 8_100;
const live = () => ({ kind: 'published', urn: `urn:li:share:${++counter}`, status: 201 }) as const;

/** An answer as a process before has left it. */
function leave(name: string, content: unknown) {
  mkdirSync(answers, { recursive: true });
  writeFileSync(path.join(answers, name), typeof content === 'string' ? content : JSON.stringify(content));
}

async function told(from = db) {
  const fault = await from
    .selectFrom('operatorAlerts')
    .select('message')
    .where('key', '=', `answers-${hostname()}`)
    .executeTakeFirst();
  return fault?.message ?? '';
}

const statusOf = async ({ userId, postId }: { userId: string; postId: string }) =>
  (await findPost(db, { userId } as never, postId)).status;

test('an answer is on the disk while the database says nothing, and no longer than that', async () => {
  const attempt = await attempted();
  const file = path.join(answers, `${attempt.id}.json`);
  const kept = await db.transaction().execute(async (trx) => {
    await lockPostRow(trx, attempt.postId);
    const answer = { kind: 'published', urn: 'urn:li:share:8001', status: 201 } as const;
    const writing = spoolResponse(db, attempt, answer);
    await until('it is written down', () => existsSync(file));
    return { writing };
  });
  await kept.writing;
  assert.deepEqual(readdirSync(answers), []);
});

test('a file that cannot be read stops no other, stays, and is told to the operator until it is gone', async () => {
  const attempt = await attempted();
  leave('a-broken.json', '{"attempt":');
  mkdirSync(path.join(answers, 'b-folder.json'));
  leave(`${attempt.id}.json`, { attempt, outcome: live() });
  await settleSpooled(db);
  assert.deepEqual(readdirSync(answers), ['a-broken.json', 'b-folder.json']);
  assert.match(await told(), /a-broken\.json.*b-folder\.json.*A worker there tries again each minute/);
  assert.equal(await statusOf(attempt), 'published');
  rmSync(answers, { recursive: true });
  mkdirSync(answers);
  await settleSpooled(db);
  assert.equal(await told(), '');
});

const OTHER_USER = randomUUID();
for (const [what, change] of [
  [
    'of a kind that a newer version knows',
    { outcome: { kind: 'from_a_newer_version', urn: 'urn:li:share:1' } },
  ],
  ['without an address or the word that there is none', { outcome: { kind: 'published', status: 201 } }],
  ['to an attempt that cannot be', { attempt: { id: 'x' } }],
  ['to an attempt that began at no time', { attempt: { startedAt: 'no' } }],
  ['to an attempt of somebody else at the post', { attempt: { userId: OTHER_USER } }],
] as const) {
  test(`an answer ${what} changes nothing, stays, and is told to the operator`, async () => {
    const attempt = await attempted();
    const kept = { attempt, outcome: live(), ...change };
    if ('attempt' in change) kept.attempt = { ...attempt, ...change.attempt } as never;
    leave('foreign.json', kept);
    await settleSpooled(db);
    assert.deepEqual(readdirSync(answers), ['foreign.json']);
    assert.match(await told(), /foreign\.json/);
    assert.equal(await statusOf(attempt), 'generated');
  });
}

type Trace = Required<NonNullable<PostOutcome['trace']>>;
/** Every kind of answer with all that it can tell. */
type Fullest = {
  [Kind in PostOutcome['kind']]: Required<Extract<PostOutcome, { kind: Kind }>> & { trace: Trace };
};

const trace: Trace = { liUuid: 'a', liRequestId: 'b', liFabric: 'c', liPop: 'd', liError: 'e' };
const FULLEST: Fullest = {
  published: { kind: 'published', urn: 'urn:li:share:1', status: 201, trace },
  duplicate: { kind: 'duplicate', urn: 'urn:li:share:1', status: 422, trace },
  media_waiting: { kind: 'media_waiting', isUploadEnded: true, status: 400, trace },
  refused: { kind: 'refused', code: 'NO', message: 'No', status: 400, trace },
  unauthorized: { kind: 'unauthorized', code: 'EXPIRED', status: 401, trace },
  version: { kind: 'version', status: 426, trace },
  throttled: { kind: 'throttled', scope: 'member_day', retryAfterSeconds: 60, status: 429, trace },
  not_sent: { kind: 'not_sent', message: 'too slow', isOurs: true, trace },
  unknown: { kind: 'unknown', message: 'reset', status: 500, trace },
};

for (const outcome of Object.values(FULLEST)) {
  test(`all that an answer of the kind "${outcome.kind}" tells is read as it was written`, async () => {
    const attempt = { ...(await attempted()), tokenSealed: 'sealed' };
    const kept = { attempt, outcome, database: 'here' };
    assert.deepEqual(SpooledResponse.parse(JSON.parse(JSON.stringify(kept))), kept);
  });
}

test('an answer that cannot be written stops no other, stays, and both it and what is broken are told', async () => {
  const [stuck, free] = [await attempted(), await attempted()];
  await sql`alter table publish_attempts add constraint stuck check (id <> ${sql.lit(stuck.id)} or state = 'sending')`.execute(
    db,
  );
  leave('a-broken.json', '');
  leave(`${stuck.id}.json`, { attempt: stuck, outcome: live() });
  leave(`${free.id}.json`, { attempt: free, outcome: live() });
  await assert.rejects(settleSpooled(db));
  await sql`alter table publish_attempts drop constraint stuck`.execute(db);
  assert.deepEqual(readdirSync(answers), ['a-broken.json', `${stuck.id}.json`].toSorted());
  assert.match(await told(), /a-broken\.json/);
  assert.match(await told(), new RegExp(`${stuck.id}\\.json`));
  rmSync(path.join(answers, 'a-broken.json'));
  await settleSpooled(db);
  assert.deepEqual([readdirSync(answers), await told()], [[], '']);
  assert.deepEqual([await statusOf(stuck), await statusOf(free)], ['published', 'published']);
});

/** As a process leaves it that has seen its database, if `knows` tells where, and is to end while it is away. */
async function keptBeside(attempt: unknown, { most, knows }: { most?: string; knows?: string } = {}) {
  const script = path.join(folder, 'keep.mjs');
  const { NODE_COMPILE_CACHE: compiled, NODE_TEST_CONTEXT: _context, ...inherited } = process.env;
  // What may write little must not write what it has compiled.
  const cache = compiled && !most && { NODE_COMPILE_CACHE: compiled };
  writeFileSync(
    script,
    `
    const { createDatabase } = await import('${ROOT}/app/db/client.ts');
    const { spoolResponse } = await import('${ROOT}/app/domain/publishing/outcome/spool.ts');
    const { readIdentity } = await import('${ROOT}/app/domain/publishing/safety/epoch.ts');
    const { stopSending } = await import('${ROOT}/app/domain/publishing/send/shutdown-signal.ts');
    const attempt = ${JSON.stringify(attempt)};
    ${knows ? `await readIdentity(createDatabase('${knows}', 1).db);` : ''}
    stopSending();
    const { db } = createDatabase('postgres://nobody@127.0.0.1:1/nothing', 1);
    await spoolResponse(db, attempt, ${JSON.stringify(live())}).catch(() => {});
    process.exit(0);`,
  );
  const limit = most ? `ulimit -f ${most};` : '';
  await promisify(execFile)('sh', ['-c', `${limit} exec "$0" "$1"`, process.execPath, script], {
    env: { ...inherited, ...cache, DATA_DIR: folder },
  });
  return existsSync(answers) ? readdirSync(answers) : [];
}

test('an answer of which the disk takes only the beginning is not taken for kept', async () => {
  const attempt = await attempted('A plan that fits on a postcard. '.repeat(90));
  // In blocks of 512 bytes: the file ends in the middle of the text.
  assert.deepEqual(await keptBeside(attempt, { most: '2' }), []);
  assert.deepEqual(await keptBeside(attempt), [`${attempt.id}.json`]);
  await settleSpooled(db);
  assert.deepEqual(readdirSync(answers), []);
  assert.equal(await statusOf(attempt), 'published');
});

test('an answer of another database is left to it, and told', async () => {
  const [attempt, other] = [await attempted(), await testDatabase()];
  const files = await keptBeside(attempt, { knows: url });
  await settleSpooled(other.db);
  assert.deepEqual(readdirSync(answers), files);
  assert.match(await told(other.db), new RegExp(`${attempt.id}\\.json \\(of another database`));
  await settleSpooled(db);
  assert.deepEqual(readdirSync(answers), []);
  assert.equal(await statusOf(attempt), 'published');
});

test('an answer to a post that its own database no longer has is told with its address, and done with', async () => {
  const attempt = await attempted();
  await keptBeside(attempt, { knows: url });
  await db.deleteFrom('posts').where('id', '=', attempt.postId).execute();
  await settleSpooled(db);
  assert.deepEqual([readdirSync(answers), await told()], [[], '']);
  const keys = await listFaultKeys(db);
  assert.ok(keys.includes(`orphan-${attempt.id}`));
});

test('in a restored database an answer is written before anything goes out, and kept until it is released', async () => {
  const attempt = await attempted();
  const files = await keptBeside(attempt, { knows: url });
  await db.updateTable('publishingEpoch').set({ server: 'another' }).execute();
  await settleSpooled(db);
  assert.equal(await statusOf(attempt), 'published');
  assert.deepEqual([readdirSync(answers), await told()], [files, '']);
  await releaseEpoch(db);
  await settleSpooled(db);
  assert.deepEqual([readdirSync(answers), await told()], [[], '']);
});

test('an answer to a post that a restored database lacks stays, and is told', async () => {
  const attempt = await attempted();
  const files = await keptBeside(attempt, { knows: url });
  await db.deleteFrom('posts').where('id', '=', attempt.postId).execute();
  await releaseEpoch(db);
  await settleSpooled(db);
  assert.deepEqual(readdirSync(answers), files);
  assert.match(await told(), new RegExp(`${attempt.id}\\.json`));
});
