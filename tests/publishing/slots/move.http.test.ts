import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { slotKeyOfPost } from '#app/domain/automation/slots.ts';
import { formatInstant, nameDay } from '#app/domain/platform/dates.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { postAddress } from '#app/routes/actions.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { endPlanAt, makePlan } from '#tests/fixtures/payments.ts';
import { makeScheduledPost, makeTopic, readPost, standAs } from '#tests/fixtures/posts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startWeb } from '#tests/harness/web.ts';

const QUEUE = '/app/scheduled';
const { db, url: databaseUrl } = await testDatabase();
let origin: string;
before(async () => {
  origin = (await startWeb({ databaseUrl })).url;
});

const today = Temporal.Now.plainDateISO('UTC');
const dayIn = (days: number) => today.add({ days }).toString();
const at = (days: number, time: string) => new Date(`${dayIn(days)}T${time}:00Z`);

/** Somebody in UTC with slots at 09:00 and 14:00 and a post in the first one of some of the next days. */
async function owner(...days: number[]) {
  const actor = await makeUser(db, { timeZone: 'UTC' });
  await makePlan(db, actor, 2);
  await makeTopic(db, actor);
  await saveSettings(db, actor, { publishTimes: ['09:00', '14:00'] });
  const ids: string[] = [];
  for (const day of days) {
    ids.push(await makeScheduledPost(db, actor, { content: `Of day ${day}.`, dueAt: at(day, '09:00') }));
  }
  return { actor, ids, browser: await browserOf(db, actor, origin) };
}

/** The dialog that is open on a page, and what it can be answered with. */
function dialogOf(html: string) {
  const [dialog = ''] = /<div class="dialog-layer">[\s\S]*?<\/dialog>/.exec(html) ?? [];
  const words = dialog
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll(' .', '.');
  const slots = [...dialog.matchAll(/name="slot"(?: checked="")? value="([^"]+)"/g)].map(([, slot]) => slot!);
  const [, later] = /href="[^"]*&amp;from=([^"]+)"/.exec(dialog) ?? [];
  return { dialog, words, slots, later };
}

const slotOf = async (id: string) => slotKeyOfPost(await readPost(db, id));

test('"Move to…" offers the next free times by day with their zone, and the post has the one that is chosen', async () => {
  const { ids, browser } = await owner(2, 3);
  const [id] = ids as [string];
  assert.ok((await browser.read(QUEUE)).includes(`?move=${id}`));
  const { words, slots } = dialogOf(await browser.read(`${QUEUE}?move=${id}`));
  assert.ok(words.includes(`“Of day 2.” Planned for ${formatInstant(at(2, '09:00'), 'UTC')}. Times in UTC.`));
  assert.ok(words.includes(nameDay(dayIn(4), today.toString())), words);
  assert.ok(slots.includes(`${dayIn(2)} 2`) && slots.includes(`${dayIn(4)} 1`));
  assert.ok(!slots.includes(`${dayIn(2)} 1`) && !slots.includes(`${dayIn(3)} 1`));
  const moved = await browser.post(postAddress(id, 'move'), { slot: `${dayIn(4)} 1`, from: QUEUE });
  assert.equal(moved.headers.get('Location'), QUEUE);
  assert.equal(await slotOf(id), `${dayIn(4)} 1`);
  assert.match(await browser.read(QUEUE), /The post is planned for[\s\S]*?Undo<\/button>/);
});

test('later free times stand at an address of their own, to the last that can be chosen', async () => {
  const { actor, ids, browser } = await owner(2);
  await endPlanAt(db, actor, at(200, '00:00'));
  const address = `${QUEUE}?move=${ids[0]}`;
  const all: string[] = [];
  let from: string | undefined;
  do {
    const page = dialogOf(await browser.read(from ? `${address}&from=${from}` : address));
    all.push(...page.slots);
    if (from) assert.ok(page.words.includes('Back to the soonest'));
    from = page.later;
  } while (from && all.length < 400);
  assert.equal(new Set(all).size, all.length);
  assert.ok(all.includes(`${dayIn(92)} 2`) && !all.includes(`${dayIn(93)} 1`));
  assert.ok(dialogOf(await browser.read(`${address}&from=2999-01-01`)).words.includes('No time is free'));
  const anew = dialogOf(await browser.read(`${address}&from=2026-02-31`));
  assert.equal(anew.slots[0], all[0]);
});

test('where the plan ends before the next free time the dialog says so, and offers none', async () => {
  const { actor, ids, browser } = await owner(2);
  await endPlanAt(db, actor, new Date(Date.now() + 1_000 * 60));
  await saveSettings(db, actor, { publishTimes: ['00:00', '00:01'] }, new Date());
  const { words, slots } = dialogOf(await browser.read(`${QUEUE}?move=${ids[0]}`));
  assert.ok(words.includes('Your plan ends before your next free time.'), words);
  assert.deepEqual(slots, []);
});

test('no time is offered before LinkedIn takes the post', async () => {
  const { ids, browser } = await owner(2);
  await standAs(db, ids[0]!, { notBefore: at(6, '14:00') });
  const { slots } = dialogOf(await browser.read(`${QUEUE}?move=${ids[0]}`));
  assert.equal(slots[0], `${dayIn(6)} 2`);
});

test('"Swap" offers the other posts that wait for a time to come, and both have the time of the other', async () => {
  const { actor, ids, browser } = await owner(2, 3, 4);
  const [one, other, pending] = ids as [string, string, string];
  await standAs(db, pending, { status: 'pending' });
  const past = await makeScheduledPost(db, actor, { content: 'It is late.', dueAt: at(-1, '09:00') });
  const { dialog, words } = dialogOf(await browser.read(`${QUEUE}?swap=${one}`));
  assert.ok(words.includes('Swap with “Of day 3.”') && words.includes('Swap with “Of day 4.”'));
  assert.ok(!dialog.includes(past) && !dialog.includes(`value="${one}"`));
  const fields = { slot: `${dayIn(2)} 1`, otherSlot: `${dayIn(3)} 1` };
  for (const [name, value] of Object.entries({ ...fields, otherId: other })) {
    assert.ok(dialog.includes(`name="${name}" value="${value}"`), name);
  }
  await browser.post(postAddress(one, 'swap'), { ...fields, otherId: other });
  assert.deepEqual([await slotOf(one), await slotOf(other)], [`${dayIn(3)} 1`, `${dayIn(2)} 1`]);
  for (const broken of ['nowhere', dayIn(3), '%00']) {
    const anew = dialogOf(await browser.read(`${QUEUE}?swap=${one}&from=${broken}`));
    assert.ok(anew.words.includes('Swap with “Of day 3.”'), broken);
  }
  const alone = await owner(2);
  const empty = dialogOf(await alone.browser.read(`${QUEUE}?swap=${alone.ids[0]}`));
  assert.ok(empty.words.includes('No other post waits for a time to come.'));
});

test('what cannot be moved says why, and of the post of somebody else there is no dialog', async () => {
  const { actor, ids, browser } = await owner(2);
  const [id] = ids as [string];
  const stranger = (await owner(2)).browser;
  assert.equal(dialogOf(await stranger.read(`${QUEUE}?move=${id}`)).dialog, '');
  assert.equal(dialogOf(await browser.read(`${QUEUE}?move=nothing`)).dialog, '');
  await standAs(db, id, { status: 'published', postedAt: new Date() });
  for (const way of ['move', 'swap']) {
    const { words, slots } = dialogOf(await browser.read(`${QUEUE}?${way}=${id}`));
    assert.ok(words.includes('This post does not wait for its time.') && slots.length === 0, way);
  }
  await standAs(db, id, { status: 'generated', postedAt: null });
  await db.updateTable('payments').set({ endsAt: new Date() }).where('userId', '=', actor.userId).execute();
  const { words, slots } = dialogOf(await browser.read(`${QUEUE}?move=${id}`));
  assert.ok(words.includes('Without an active plan there are no times') && slots.length === 0);
});

test('the dashboard leads to the dialog from the rows of its days', async () => {
  const { ids, browser } = await owner(1);
  assert.ok((await browser.read('/app/dashboard')).includes(`href="${QUEUE}?move=${ids[0]}"`));
});
