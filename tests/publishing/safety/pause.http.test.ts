import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { listAuditLog } from '#app/domain/accounts/audit-log.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { releaseEpoch } from '#app/domain/publishing/safety/epoch.ts';
import { findPause, pauseForAppLimit, stopPublishing } from '#app/domain/publishing/safety/pause.ts';
import { confirmAttempt, publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePublisher, makeScheduledPost, makeTopic } from '#tests/fixtures/posts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { call } from '#tests/harness/http/browser.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { goOnAfterEach } from '#tests/harness/reset-publishing.ts';
import { startWeb } from '#tests/harness/web.ts';

const outside = await startOutside();
const MINUTE = 60_000;
const PAGE = '/app/admin/publishing';
const later = (ms: number) => new Date(Date.now() + ms);
let database: TestDatabase;
let url: string;

goOnAfterEach(() => database.db);
before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

const adminBrowser = async () => browserOf(database.db, await makeUser(database.db, { isAdmin: true }), url);

test('an admin pauses publishing with a reason, users read it, and nothing is sent until it goes on', async () => {
  const { db } = database;
  const [admin, actor] = [await adminBrowser(), await makePublisher(db, outside.url)];
  const user = await browserOf(db, actor, url);
  const [due, unknown] = [
    await makeScheduledPost(db, actor, { dueAt: later(-2_000) }),
    await makeScheduledPost(db, actor, { dueAt: later(-1_000), content: `Lost answer ${actor.userId}` }),
  ];
  await outside.fault('linkedin.drop-before', { match: 'Lost answer' });
  await publishPost(db, unknown);
  const { id } = await db
    .selectFrom('publishAttempts')
    .select('id')
    .where('postId', '=', unknown)
    .executeTakeFirstOrThrow();

  const paused = await admin.post(PAGE, { reason: 'LinkedIn has <trouble> today', until: '' });
  assert.equal(paused.headers.get('Location'), PAGE);
  const again = await admin.post(PAGE, { reason: 'LinkedIn has <trouble> today', until: '' });
  assert.equal(again.headers.get('Location'), PAGE);
  const written = db.selectFrom('auditLog').select('id').where('action', '=', 'publishing.paused');
  assert.equal((await written.execute()).length, 1, 'the same said again is no other stop');
  assert.doesNotMatch(await user.read('/app/dashboard'), /to do anything/);
  assert.match(await admin.read(PAGE), /until you resume it[\s\S]*LinkedIn has &lt;trouble&gt; today/);
  assert.match(await admin.read('/app/admin'), /Publishing is stopped for everybody[\s\S]*&lt;trouble&gt;/);
  for (const page of ['/app/dashboard', '/app/scheduled']) {
    assert.match(await user.read(page), /Publishing is paused: LinkedIn has &lt;trouble&gt; today\./);
  }
  assert.equal(await enqueueDuePosts(db), 0);
  await publishPost(db, due);
  await confirmAttempt(db, id, later(MINUTE));
  const { posts } = (await outside.ledger()) as { posts: unknown[] };
  assert.equal(posts.length, 0);

  await pauseForAppLimit(db, later(-1), 'LinkedIn’s limit of yesterday', new Date());
  assert.equal((await findPause(db, new Date()))?.by, 'admin');
  await admin.post(`${PAGE}/resume`);
  assert.match(await admin.read(PAGE), /Publishing goes on/);
  assert.doesNotMatch(await user.read('/app/scheduled'), /Publishing is paused/);
  await publishPost(db, due);
  assert.equal((await findPost(db, actor, due)).status, 'published');
  await admin.post(`${PAGE}/resume`);
  assert.match(await admin.read(PAGE), /Publishing is not paused/);

  const { entries } = await listAuditLog(db);
  const mine = entries.filter(({ action }) => action.startsWith('publishing.'));
  assert.deepEqual(
    mine.map(({ action, detail }) => [action, detail]),
    [
      ['publishing.resumed', { before: { reason: 'LinkedIn has <trouble> today' } }],
      ['publishing.paused', { reason: 'LinkedIn has <trouble> today' }],
    ],
  );
  assert.match(await admin.read('/app/admin/audit'), /Paused publishing/);
});

test('what is sent by hand meanwhile can be changed until publishing goes on, and is offered at once then', async () => {
  const { db } = database;
  const [admin, actor] = [await adminBrowser(), await makePublisher(db, outside.url)];
  const user = await browserOf(db, actor, url);
  const id = await makeScheduledPost(db, actor, { dueAt: later(60 * MINUTE) });
  await admin.post(PAGE, { reason: 'We look at something', until: '' });
  assert.match(
    await user.read(`/app/scheduled?confirm-publish=${id}`),
    /Publishing is paused for now\. Your post goes out as soon as that ends\. It does not wait for its own time\./,
  );
  const sent = await user.post(`/app/posts/${id}/publish`);
  const page = await user.read(sent.headers.get('Location')!);
  assert.match(page, /Your post goes out as soon as that ends/);
  assert.match(page, /Waits until publishing goes on\./);
  assert.doesNotMatch(page, /Publishing…/);
  assert.ok(page.includes(`edit=${id}`) && page.includes(`confirm-delete=${id}`));
  await publishPost(db, id);
  const { enqueuedAt } = await db
    .selectFrom('postSchedules')
    .select('enqueuedAt')
    .where('postId', '=', id)
    .executeTakeFirstOrThrow();
  assert.equal(enqueuedAt, null, 'the next tick after the pause offers it');
  await admin.post(`${PAGE}/resume`);
  assert.match(await user.read('/app/scheduled'), /Publishing…/);
  await publishPost(db, id);
  assert.equal((await findPost(db, actor, id)).status, 'published');
});

test('an end is taken on the clock of the admin, must lie ahead, and ends the pause by itself', async () => {
  const { db } = database;
  const actor = await makeUser(db, { isAdmin: true, timeZone: 'Asia/Kolkata' });
  const admin = await browserOf(db, actor, url);
  for (const [fields, words] of [
    [{ reason: ' ' }, /Please give a reason/],
    [{ reason: 'x'.repeat(201) }, /at most 200 characters/],
    [{ reason: 'Past', until: '2020-01-01T10:00' }, /must lie ahead/],
    [{ reason: 'No day', until: '2026-02-31T10:00' }, /day and a time|must lie ahead/],
    [{ reason: 'No day', until: 'tomorrow' }, /day and a time/],
  ] as [Record<string, string>, RegExp][]) {
    const answer = await admin.post(PAGE, fields);
    assert.equal(answer.status, 422);
    assert.match(await answer.text(), words);
  }
  assert.equal(await findPause(db, new Date()), undefined);
  await admin.post(PAGE, { reason: 'Moving house', until: '2099-06-01T10:30' });
  const pause = await findPause(db, new Date());
  assert.equal(pause?.until?.toISOString(), '2099-06-01T05:00:00.000Z');
  const form = await admin.read(PAGE);
  assert.match(form, /value="2099-06-01T10:30"/, 'what holds stands in the form');
  assert.match(form, /<textarea[^>]*>Moving house</);
  assert.match(await admin.read(PAGE), /10:30/);
  assert.equal(await findPause(db, pause!.until!), undefined);
  await admin.post(`${PAGE}/resume`);
});

type Stop = { name: string; stop: object; reads: RegExp; sent: RegExp; runs: RegExp };
const STOPS: Stop[] = [
  {
    name: 'the database is not released',
    stop: { server: 'another' },
    reads: /stopped until we have looked[^<]*nothing is sent twice[^<]*Your posts are safe and wait/,
    sent: /Publishing is stopped for now\. Your post waits: when publishing goes on, it goes out or we ask you first\./,
    runs: /stopped until an operator has looked[\s\S]*npm run resume-publishing/,
  },
  {
    name: 'the clock of the database has been set back',
    stop: { beatAt: later(30 * MINUTE) },
    reads:
      /because a clock of ours is wrong[^<]*nothing is sent twice[^<]* at the latest\. Your posts are safe/,
    sent: /Publishing is paused for now\. Your post waits: when publishing goes on, it goes out or its card says why not\./,
    runs: /stopped until the clock has caught up, [^<]* at the latest[\s\S]*npm run resume-publishing/,
  },
];

for (const { name, stop, reads, sent, runs } of STOPS) {
  test(`while ${name} every page and answer says why nothing goes out`, async () => {
    const { db } = database;
    const [admin, actor] = [await adminBrowser(), await makePublisher(db, outside.url)];
    const [user, token] = [await browserOf(db, actor, url), await tokenOf(db, actor)];
    const [id, other] = [
      await makeScheduledPost(db, actor, { dueAt: later(60 * MINUTE) }),
      await makeScheduledPost(db, actor, { dueAt: later(90 * MINUTE) }),
    ];
    await db.updateTable('publishingEpoch').set(stop).execute();
    assert.ok(await findPause(db, new Date()));
    assert.equal((await findPost(db, actor, id)).isStopped, true);
    for (const page of ['/app/dashboard', '/app/scheduled']) assert.match(await user.read(page), reads, page);
    assert.match(await user.read(`/app/scheduled?confirm-publish=${id}`), sent);
    const pressed = await user.post(`/app/posts/${id}/publish`);
    const queue = await user.read(pressed.headers.get('Location')!);
    assert.match(queue, sent);
    assert.doesNotMatch(queue, /is being published/);
    const called = await call(url, 'POST', `/automation/posts/${other}/publish`, undefined, token);
    assert.equal(called.status, 202);
    assert.match(called.body.message, sent);
    assert.match(await admin.read(PAGE), runs);
    assert.match(await admin.read('/app/admin'), /stopped for everybody[\s\S]*npm run resume-publishing/);
    await admin.post(PAGE, { reason: 'We look at it', until: '' });
    assert.match(await admin.read(PAGE), runs, 'a pause of an admin hides no other stop');
    await admin.post(`${PAGE}/resume`);
    assert.doesNotMatch(await admin.read(PAGE), /Publishing goes on</);
    await releaseEpoch(db);
    assert.equal(await findPause(db, new Date()), undefined);
    const { body } = await call(url, 'POST', `/automation/posts/${other}/publish`, undefined, token);
    assert.equal(body.message, 'Your post is being published');
  });
}

test('the end of a stop by a clock that was set back lies ahead by the clock of who reads it', async () => {
  const { db } = database;
  await db
    .updateTable('publishingEpoch')
    .set({ beatAt: later(30 * MINUTE) })
    .execute();
  const now = later(120 * MINUTE);
  const pause = await findPause(db, now);
  assert.equal(pause?.by, 'clock');
  assert.ok(Math.abs(pause.until!.getTime() - now.getTime() - 30 * MINUTE) < MINUTE);
});

test('beside a stop for everybody stands what its reader has to see to', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const user = await browserOf(db, actor, url);
  await makeScheduledPost(db, actor, { dueAt: later(2880 * MINUTE) });
  await makeTopic(db, actor);
  const stops = [{ server: 'another' }, { beatAt: later(30 * MINUTE) }];
  await saveSettings(db, actor, { enabled: false }, new Date());
  for (const stop of stops) {
    await db.updateTable('publishingEpoch').set(stop).execute();
    const page = await user.read('/app/scheduled');
    await releaseEpoch(db);
    assert.match(page, /Your posts are safe[^<]*Automation is paused, so nothing goes out by itself\./);
    assert.match(page, /Turn automation on/);
    assert.doesNotMatch(page, /to do anything/);
  }
});

test('a pause that ends before another stop promises nothing for its end', async () => {
  const { db } = database;
  const [admin, actor] = [await makeUser(db, { isAdmin: true }), await makePublisher(db, outside.url)];
  const user = await browserOf(db, actor, url);
  await makeScheduledPost(db, actor, { dueAt: later(60 * MINUTE) });
  await stopPublishing(db, admin, { reason: 'Moving house', until: '2099-06-01T10:30' });
  await pauseForAppLimit(db, new Date('2099-07-01T00:00:00Z'), 'The limit', new Date());
  const page = await user.read('/app/scheduled');
  assert.match(page, /LinkedIn takes no posts from Tidepost until [^<]*Jul 01/);
  assert.match(page, /yours go out\. What is over 3 hours late by then takes your next free times\./);
});

test('only admins reach the switch', async () => {
  const { db } = database;
  const user = await browserOf(db, await makeUser(db), url);
  assert.equal((await user.get(PAGE)).status, 403);
  assert.equal((await user.post(PAGE, { reason: 'Mine' })).status, 403);
  assert.equal((await user.post(`${PAGE}/resume`)).status, 403);
  assert.equal(await findPause(db, new Date()), undefined);
});
