import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ticks } from '#app/domain/platform/jobs.ts';
import { listFaultKeys } from '#app/domain/platform/operator-alerts.ts';
import {
  clearPastLimit,
  reportAppLimit,
  reportEveryVersion,
} from '#app/domain/publishing/linkedin-alerts.ts';
import { probeLinkedIn, probeWhileReported } from '#app/domain/publishing/safety/probe.ts';
import { makePublisher } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { atTheDoor, problem } from '#tests/harness/outside/linkedin-responses.ts';
import { nobody, startOutside } from '#tests/harness/outside/sandbox.ts';
import { withEnv } from '#tests/harness/with-env.ts';
import { tickRunners, timetableOf } from '#worker/tasks.ts';

process.env.LINKEDIN_VERSIONS = '202608,202607';
const outside = await startOutside();
const { db } = await testDatabase();
const actor = await makePublisher(db, outside.url);
const dead = problem(426, 'NONEXISTENT_VERSION');
const reported = async () => (await listFaultKeys(db)).toSorted();
const [FIRST, SECOND] = ['linkedin-version-202608', 'linkedin-version-202607'];

test('a version that LinkedIn refuses is reported before any post meets it, and taken back when it is not', async () => {
  await withEnv({ LINKEDIN_VERSIONS: ['202508', '202608'] }, () => probeLinkedIn(db));
  assert.deepEqual(await reported(), ['linkedin-version-202508']);
  await withEnv({ LINKEDIN_VERSIONS: ['202508'] }, () => probeLinkedIn(db));
  assert.deepEqual(await reported(), ['linkedin-version', 'linkedin-version-202508']);
  await db.deleteFrom('operatorAlerts').execute();
  await atTheDoor({ read: [dead] }, () => probeLinkedIn(db));
  assert.deepEqual(await reported(), ['linkedin-version', SECOND, FIRST]);
  await probeWhileReported(db);
  assert.deepEqual(await reported(), []);
});

test('the probe reads, once for each version, and writes nothing at LinkedIn', async () => {
  const asked = await atTheDoor({}, () => probeLinkedIn(db));
  assert.deepEqual(
    asked.map(({ call, headers }) => [call, headers['linkedin-version']]),
    [
      ['read', '202608'],
      ['read', '202607'],
    ],
  );
});

test('while nothing about LinkedIn is reported it is asked by the daily probe alone', async () => {
  assert.deepEqual(await reported(), []);
  assert.deepEqual(await atTheDoor({}, () => probeWhileReported(db)), []);
  const asked = await atTheDoor({}, () => Promise.resolve(tickRunners.probeLinkedIn(db, new Date())));
  assert.equal(asked.length, 2);
  const { match } = timetableOf('upkeep').find(({ task }) => task === ticks.probeLinkedIn.name)!;
  for (let date = 1; date <= 31; date++) {
    const minutes = Array.from({ length: 24 * 60 }, (_, minute) => minute).filter((minute) =>
      match({ date, month: 1, dow: date % 7, hour: Math.floor(minute / 60), min: minute % 60 }),
    );
    assert.equal(minutes.length, 1);
  }
});

test('an answer that tells nothing about a version changes nothing', async () => {
  await reportEveryVersion(db, new Date());
  const html = '<html>';
  for (const answer of [
    { status: 500 },
    { status: 429 },
    { status: 403, body: html },
    { status: 404, body: html },
  ]) {
    await atTheDoor({ read: [answer] }, () => probeLinkedIn(db));
    assert.deepEqual(await reported(), ['linkedin-version']);
  }
  await withEnv({ LINKEDIN_API_URL: await nobody() }, () => probeLinkedIn(db));
  assert.deepEqual(await reported(), ['linkedin-version']);
});

test('a refused token ends no connection, and the next member is asked with', async () => {
  const other = await makePublisher(db, outside.url);
  const refused = problem(401, 'REVOKED_ACCESS_TOKEN');
  const well = problem(403, 'ACCESS_DENIED');
  const asked = await atTheDoor({ read: [refused, well] }, () => probeLinkedIn(db));
  assert.equal(asked.length, 3);
  assert.deepEqual(await reported(), []);
  const alive = await db
    .selectFrom('linkedinConnections')
    .select('userId')
    .where('status', '=', 'alive')
    .where('userId', 'in', [actor.userId, other.userId])
    .execute();
  assert.equal(alive.length, 2);
});

test('a wrong client secret is found by the probe, and that it is right again', async () => {
  await withEnv({ LINKEDIN_CLIENT_SECRET: 'wrong' }, () => probeLinkedIn(db));
  assert.deepEqual(await reported(), ['linkedin-client']);
  await withEnv({ LINKEDIN_AUTH_URL: await nobody() }, () => probeWhileReported(db));
  assert.deepEqual(await reported(), ['linkedin-client']);
  await tickRunners.sweepHourly(db, new Date());
  assert.deepEqual(await reported(), []);
});

test("the application's daily limit is reported no longer once the day is over", async () => {
  const noon = new Date('2026-05-04T12:00:00Z');
  await reportAppLimit(db, 'LinkedIn takes no more posts from Tidepost until 00:00 UTC.', noon);
  await clearPastLimit(db, new Date('2026-05-04T23:59:59Z'));
  assert.deepEqual(await reported(), ['linkedin-app-limit']);
  await clearPastLimit(db, new Date('2026-05-05T00:00:01Z'));
  assert.deepEqual(await reported(), []);
});
