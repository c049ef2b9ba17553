import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { slotKeyOfPost } from '#app/domain/automation/slots.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatInstant } from '#app/domain/platform/dates.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { listFreeSlots } from '#app/domain/publishing/slots/slot-key.ts';
import { postAddress } from '#app/routes/actions.ts';
import { makePublisher, makeScheduledPost, makeTopic, readPost, standAs } from '#tests/fixtures/posts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import type { Browser } from '#tests/harness/http/browser.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb } from '#tests/harness/web.ts';

const outside = await startOutside();
const DAY = 86_400_000;
const QUEUE = '/app/scheduled';
let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

/** Somebody with a post at each of the next mornings that are named, in UTC, and their browser. */
async function somebody(...days: number[]) {
  const { db } = database;
  const actor: Actor = { ...(await makePublisher(db, outside.url)), timeZone: 'UTC' };
  await saveSettings(db, actor, { timeZone: 'UTC', publishTimes: ['09:00'] });
  const ids: string[] = [];
  for (const day of days) ids.push(await makeScheduledPost(db, actor, { dueAt: morning(day) }));
  return { actor, ids, browser: await browserOf(db, actor, url) };
}

const dayOf = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
const morning = (days: number) => new Date(`${dayOf(days)}T09:00:00Z`);
const slot = (days: number) => `${dayOf(days)} 1`;
const words = (days: number) => formatInstant(morning(days), 'UTC');
const slotOf = async (id: string) => slotKeyOfPost(await readPost(database.db, id));

/** Presses a button and follows it; the page, with the form of its notice. */
async function press(browser: Browser, address: string, fields: Record<string, string> = {}) {
  const answer = await browser.post(address, fields);
  assert.equal(answer.status, 302, address);
  const to = answer.headers.get('Location')!;
  const page = await browser.read(to);
  const [toasts = ''] = /<div[^>]*class="toasts"[\s\S]*?<\/ol>/.exec(page) ?? [];
  const [, form = ''] = /<form([\s\S]*?)<\/form>/.exec(toasts) ?? [];
  const inputs = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name!,
    value!,
  ]);
  const [, action] = /action="([^"]*)"/.exec(form) ?? [];
  return { to, page, toasts, undo: { action, fields: Object.fromEntries(inputs) as Record<string, string> } };
}

const undoOf = (browser: Browser, { undo }: Awaited<ReturnType<typeof press>>) =>
  press(browser, undo.action!, undo.fields);

test('a move answers where the post goes, with a form that takes it back', async () => {
  const { ids, browser } = await somebody(2);
  const moved = await press(browser, postAddress(ids[0]!, 'move'), { slot: slot(5) });
  assert.equal(moved.to, QUEUE);
  assert.ok(moved.toasts.includes(`The post is planned for ${words(5)}.`));
  assert.ok(moved.toasts.includes('Undo</button>'));
  assert.equal(await slotOf(ids[0]!), slot(5));
  const undone = await undoOf(browser, moved);
  assert.ok(undone.toasts.includes(`Undone. The post is planned for ${words(2)}.`));
  assert.ok(!undone.toasts.includes('Undo</button>'));
  assert.equal(await slotOf(ids[0]!), slot(2));
});

test('an undo says so when the time is not free any more, or the post has changed since', async () => {
  const { actor, ids, browser } = await somebody(2);
  const [id] = ids as [string];
  const moved = await press(browser, postAddress(id, 'move'), { slot: slot(5) });
  await makeScheduledPost(database.db, actor, { dueAt: morning(2) });
  const [next] = await listFreeSlots(database.db, actor.userId, 1);
  const undone = await undoOf(browser, moved);
  assert.ok(
    undone.toasts.includes(
      `Its time is not free any more, so it has your next one. The post is planned for ${next!.text}.`,
    ),
  );
  await press(browser, postAddress(id, 'move'), { slot: slot(6) });
  const late = await undoOf(browser, moved);
  assert.ok(late.page.includes('The post has changed since, so nothing was undone'));
  assert.equal(await slotOf(id), slot(6));
  await standAs(database.db, id, { status: 'published', postedAt: new Date() });
  assert.ok((await undoOf(browser, moved)).page.includes('This post is already published'));
});

test('a swap, a skip and a deletion are taken back from their notices', async () => {
  const { db } = database;
  const { ids, browser } = await somebody(2, 4);
  const [one, other] = ids as [string, string];
  const both = { otherId: other, slot: slot(2), otherSlot: slot(4) };
  const swapped = await press(browser, postAddress(one, 'swap'), both);
  assert.ok(
    swapped.toasts.includes(`The post is planned for ${words(4)}. The other one is planned for ${words(2)}.`),
  );
  await undoOf(browser, swapped);
  assert.deepEqual([await slotOf(one), await slotOf(other)], [slot(2), slot(4)]);

  const skipped = await press(browser, postAddress(one, 'skip'), { from: '/app/dashboard' });
  assert.equal(skipped.to, '/app/dashboard');
  assert.ok(skipped.toasts.includes('You skipped the post. It is in Post History under Set aside.'));
  const back = await undoOf(browser, skipped);
  assert.equal(back.to, '/app/dashboard');
  assert.equal(await slotOf(one), slot(2));

  const deleted = await press(browser, postAddress(one, 'delete'));
  assert.ok(deleted.toasts.includes('Post deleted successfully!'));
  assert.ok((await readPost(db, one)).deletedAt);
  assert.ok((await undoOf(browser, deleted)).toasts.includes(`Undone. The post is planned for ${words(2)}.`));
  assert.deepEqual([(await readPost(db, one)).deletedAt, await slotOf(one)], [null, slot(2)]);
});

test('a deleted post that was published has no undo', async () => {
  const { ids, browser } = await somebody(2);
  await standAs(database.db, ids[0]!, { status: 'published', postedAt: new Date(), dueAt: null });
  const deleted = await press(browser, postAddress(ids[0]!, 'delete'), { hereOnly: 'true' });
  assert.ok(!deleted.toasts.includes('Undo'));
});

test('a skipped post stands in the history under Set aside, to be published or scheduled again', async () => {
  const { ids, browser } = await somebody(2);
  await press(browser, postAddress(ids[0]!, 'skip'));
  const page = await browser.read('/app/posts?status=set_aside');
  for (const said of ['You skipped it.', 'Publish now', 'Schedule again'])
    assert.ok(page.includes(said), said);
  assert.ok(page.includes(postAddress(ids[0]!, 'schedule')));
  const again = await press(browser, postAddress(ids[0]!, 'schedule'));
  assert.match(again.toasts, /The post is planned for \w{3}, \w{3} \d+, 09:00\./);
  assert.equal((await readPost(database.db, ids[0]!)).status, 'generated');
  const failed = await somebody(2);
  await standAs(database.db, failed.ids[0]!, { status: 'failed', failure: 'refused', dueAt: null });
  assert.ok(!(await failed.browser.read('/app/posts')).includes('Schedule again'));
});

test('what a form of these buttons says wrongly is answered with a sentence at the post', async () => {
  const { ids, browser } = await somebody(2);
  const [id] = ids as [string];
  const cases: [Parameters<typeof postAddress>[1], Record<string, string>, string][] = [
    ['move', {}, 'Please choose a time from the list'],
    ['move', { slot: '2026-02-31 1' }, 'Please choose a time from the list'],
    ['move', { slot: slot(-3) }, 'This time has passed. Choose another one'],
    ['swap', { slot: slot(2), otherSlot: slot(3) }, 'Please choose a post to swap with'],
    ['swap', { slot: slot(2), otherSlot: slot(3), otherId: 'x' }, 'This post was not found'],
    ['schedule', {}, 'Only a post that was set aside can be scheduled again'],
    ['undo', {}, 'This is not one of our forms'],
    ['undo', { of: 'skip', was: 'x' }, 'This is not one of our forms'],
  ];
  for (const [verb, fields, sentence] of cases) {
    const { to, page } = await press(browser, postAddress(id, verb), { ...fields, from: QUEUE });
    assert.equal(to, `${QUEUE}#post-${id}`);
    assert.ok(page.includes(sentence), `${verb}: ${sentence}`);
    assert.equal(await slotOf(id), slot(2));
  }
});

test('an open slot is filled from its button, and the page on which it stood is shown again', async () => {
  const { db } = database;
  const { actor, browser } = await somebody();
  await makeTopic(db, actor);
  const here = await press(browser, '/app/generate', { slot: slot(3), from: `${QUEUE}?status=x` });
  assert.equal(here.to, `${QUEUE}?status=x`);
  assert.ok(here.toasts.includes('The post is being written.'));
  const there = await press(browser, '/app/generate', { slot: slot(3) });
  assert.ok(there.toasts.includes('Writing has begun. What is written appears in your queue.'));
  const runs = await db.selectFrom('generationRuns').selectAll().where('userId', '=', actor.userId).execute();
  assert.deepEqual(
    runs.map(({ slotDate, slotNumber }) => [slotDate, slotNumber]),
    [[dayOf(3), 1]],
  );
  assert.equal(there.to, `/app/dashboard?run=${runs[0]!.id}`);
  const done = { status: 'complete' as const, done: 1, insteadAt: morning(4) };
  await db.updateTable('generationRuns').set(done).where('id', '=', runs[0]!.id).execute();
  const page = await browser.read(there.to);
  assert.ok(page.includes(`The time you chose was gone. It is planned for ${words(4)}.`));
  for (const fields of [{ slot: '' }, { slot: 'soon' }]) {
    const refused = await press(browser, '/app/generate', fields);
    assert.ok(refused.page.includes('Please choose a time from the list'));
  }
});

test('posts that are asked for by a form without scripts are asked for once, however often it is pressed', async () => {
  const { db } = database;
  const { actor, browser } = await somebody();
  const { id: topicId } = await makeTopic(db, actor);
  const runs = async () =>
    (await db.selectFrom('generationRuns').select('id').where('userId', '=', actor.userId).execute()).length;
  const keyOn = async (page: string) => /name="key" value="([\w-]{36})"/.exec(await browser.read(page))![1]!;
  const cases: [string, Record<string, string>][] = [
    ['/app/dashboard', { count: '2', topicId: '' }],
    ['/app/topics', { count: '1', topicId, from: `/app/topics#topic-${topicId}` }],
  ];
  for (const [at, [page, fields]] of cases.entries()) {
    const key = await keyOn(page);
    const [first, second] = await Promise.all(
      [1, 2].map(() => browser.post('/app/generate', { ...fields, key })),
    );
    assert.equal(second!.headers.get('Location'), first!.headers.get('Location'));
    assert.equal(await runs(), at + 1, page);
    await db.updateTable('generationRuns').set({ status: 'complete' }).execute();
  }
  await browser.post('/app/generate', { count: '1', topicId: '', key: await keyOn('/app/dashboard') });
  assert.equal(await runs(), 3, 'the page that is shown next asks anew');
  const bad = await press(browser, '/app/generate', { count: '1', topicId: '', key: 'x' });
  assert.ok(bad.page.includes('This form has changed. Load the page again'));
  assert.equal(await runs(), 3);
});

test('a notice takes an action to an address of ours alone', async () => {
  const { browser } = await somebody();
  const write = (to: string) => {
    const notice = {
      id: crypto.randomUUID(),
      tone: 'success',
      text: 'Kept',
      action: { label: 'Undo', to, fields: { of: 'x' } },
    };
    return encodeURIComponent(Buffer.from(JSON.stringify([notice])).toString('base64'));
  };
  for (const [to, isTaken] of [
    ['/app/posts/1/undo', true],
    ['//elsewhere.example/x', false],
    ['/app/../logout', false],
    ['https://elsewhere.example/', false],
  ] as const) {
    browser.cookies.set('notices', write(to));
    assert.equal((await browser.read('/app/scheduled')).includes('Undo</button>'), isTaken, to);
    browser.cookies.delete('notices');
  }
});
