import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Actor } from '#app/domain/platform/actor.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { listFreeSlots } from '#app/domain/publishing/slots/slot-key.ts';
import { weekOf } from '#app/routes/posts/calendar/range.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makeScheduledPost, makeTopic, readPost, standAs, takeOut } from '#tests/fixtures/posts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startWeb } from '#tests/harness/web.ts';

const { db, url: databaseUrl } = await testDatabase();
let origin: string;
before(async () => {
  origin = (await startWeb({ databaseUrl })).url;
});

const today = Temporal.Now.plainDateISO('UTC');
const dayOf = (days: number) => today.add({ days }).toString();
const at = (days: number, time: string) => new Date(`${dayOf(days)}T${time}:00Z`);
const monthOf = (days: number) => `/app/scheduled?view=month&month=${dayOf(days).slice(0, 7)}`;
const weekAt = (days: number) => `/app/scheduled?view=week&week=${weekOf(today.add({ days }))}`;

/** Somebody in UTC with so many slots a day, and their browser. */
async function somebody(publishTimes = ['09:00', '14:00']) {
  const actor: Actor = await makeUser(db, { timeZone: 'UTC' });
  await makePlan(db, actor, publishTimes.length);
  await makeTopic(db, actor);
  await saveSettings(db, actor, { publishTimes });
  return { actor, browser: await browserOf(db, actor, origin) };
}

/** What a page has of one day. */
function dayIn(html: string, days: number): string {
  const [, rest] = html.split(`id="day-${dayOf(days)}"`);
  assert.ok(rest, `${dayOf(days)} is not there`);
  return rest.split(/id="day-|<\/ol>/)[0]!;
}

const has = (html: string, ...parts: string[]) => {
  for (const part of parts) assert.ok(html.includes(part), `${part} is not in ${html.slice(0, 2_000)}`);
};

test('a month and a week show each post in its day, by its time, with what it says and where it stands', async () => {
  const { actor, browser } = await somebody();
  const id = await makeScheduledPost(db, actor, { content: 'Two hours on Friday.', dueAt: at(2, '09:00') });
  const other = await makeScheduledPost(db, actor, { content: 'Ask me first.', dueAt: at(3, '09:00') });
  await standAs(db, other, { status: 'pending', needsApproval: true });
  for (const page of [monthOf, weekAt]) {
    const day = dayIn(await browser.read(page(2)), 2);
    has(day, `href="/app/posts/${id}"`, '>09:00</time>', 'Two hours on Friday.', 'Scheduled', 'Move to…');
    has(day, `value="${dayOf(2)} 2"`, '>14:00</time>', '>Open<', 'Fill it');
    assert.match(day, /<h3 class="cal-date"><span>\w{3}, \w{3} <\/span><b>\d+<\/b>/);
    assert.ok(!day.includes(`value="${dayOf(2)} 1"`));
    has(dayIn(await browser.read(page(3)), 3), 'Ask me first.', 'Needs approval');
  }
});

test('what went out stands in its day with a way to it, and slots without a post say so', async () => {
  const { actor, browser } = await somebody(['00:00', '00:01']);
  await db
    .updateTable('payments')
    .set({ startsAt: at(-2, '00:00') })
    .where('userId', '=', actor.userId)
    .execute();
  const id = await makeScheduledPost(db, actor, { content: 'It is out.', dueAt: at(-1, '00:00') });
  await takeOut(db, id);
  await standAs(db, id, { status: 'published', postedAt: at(-1, '00:00'), networkUrn: 'urn:li:share:7001' });
  const day = dayIn(await browser.read(monthOf(-1)), -1);
  has(day, 'It is out.', 'Published', `href="/app/posts/${id}"`, 'Nothing went out');
  assert.ok(!day.includes('Move to…') && !day.includes('Fill it'));
  const answer = await browser.get(`/app/posts/${id}`);
  assert.equal(answer.status, 302);
  const there = answer.headers.get('Location')!;
  assert.match(there, new RegExp(`^/app/posts\\?open=${id}#post-${id}$`));
  has(await browser.read(there), 'It is out.', 'feed/update/urn:li:share:7001');
});

const OPENED = { edit: 'Save', move: 'Move this post', 'confirm-publish': 'LinkedIn is not connected' };

test('the way to a post leads to the page of the queue that begins with it', async () => {
  const { actor, browser } = await somebody();
  const ids: string[] = [];
  for (let day = 1; day <= 28; day += 1)
    ids.push(await makeScheduledPost(db, actor, { content: `Day ${day}.`, dueAt: at(day, '09:00') }));
  const there = (await browser.get(`/app/posts/${ids[26]}`)).headers.get('Location')!;
  const html = await browser.read(there);
  has(html, `id="post-${ids[26]}"`, 'Day 28.');
  assert.ok(!html.includes('Day 26.'));
  const opensAt = (id: string) => new RegExp(`id="post-${id}"[^>]*><details open`);
  assert.match(html, opensAt(ids[26]!));
  assert.doesNotMatch(html, opensAt(ids[27]!));
  for (const opened of ['edit', 'move', 'confirm-publish'] as const) {
    const page = await browser.read(`/app/scheduled?${opened}=${ids[26]}`);
    has(page, `id="post-${ids[26]}"`, OPENED[opened]);
    assert.ok(!page.includes('Day 26.'));
    has(await browser.read(`/app/scheduled?${opened}=${ids[1]}`), `id="post-${ids[0]}"`, OPENED[opened]);
  }
  const { browser: stranger } = await somebody();
  for (const id of [ids[0], 'x']) {
    const answer = await stranger.get(`/app/posts/${id}`);
    assert.equal(answer.headers.get('Location'), '/app/scheduled');
    has(await stranger.read('/app/scheduled'), 'This post was not found');
  }
});

test('a full day of a month shows its first posts and leads to the week for the others', async () => {
  const { actor, browser } = await somebody(['06:00', '09:00', '12:00', '15:00', '18:00']);
  for (const [n, time] of ['06:00', '09:00', '12:00', '15:00', '18:00'].entries())
    await makeScheduledPost(db, actor, { content: `Number ${n + 1}.`, dueAt: at(2, time) });
  const day = dayIn(await browser.read(monthOf(2)), 2);
  has(day, 'Number 3.', `week=${weekOf(today.add({ days: 2 }))}#day-${dayOf(2)}`);
  assert.match(day, /\+(?:<!-- -->)?2(?:<!-- -->)? more/);
  assert.ok(!day.includes('Number 4.'));
  has(dayIn(await browser.read(weekAt(2)), 2), 'Number 4.', 'Number 5.');
});

test('days off and days that no plan covers say so, and offer no time', async () => {
  const { actor, browser } = await somebody();
  await saveSettings(db, actor, { daysOff: [dayOf(2)] });
  const ends = { startsAt: at(-1, '00:00'), endsAt: at(4, '00:00') };
  await db.updateTable('payments').set(ends).where('userId', '=', actor.userId).execute();
  const read = async (days: number) => dayIn(await browser.read(weekAt(days)), days);
  const [off, before, after] = [await read(2), await read(-2), await read(4)];
  has(off, 'Day off');
  has(before, 'Before your plan');
  has(after, 'After your plan');
  for (const day of [off, before, after])
    assert.ok(!day.includes('Fill it') && !day.includes('Nothing went'));
  has(await read(3), 'Fill it');
});

test('a day that is over stays as it was when settings are saved and when a plan with more posts a day begins', async () => {
  const { actor, browser } = await somebody(['09:00']);
  const ended = {
    startsAt: at(-20, '00:00'),
    endsAt: new Date(Date.now() - 1_000),
    status: 'expired' as const,
  };
  const plan = { startsAt: ended.startsAt };
  await db.updateTable('payments').set(plan).where('userId', '=', actor.userId).execute();
  await saveSettings(db, actor, { daysOff: [dayOf(-2)] }, at(-4, '12:00'));
  const id = await makeScheduledPost(db, actor, { content: 'It is out.', dueAt: at(-3, '09:00') });
  await takeOut(db, id);
  await standAs(db, id, { status: 'published', postedAt: at(-3, '09:00') });
  const read = async (days: number) => dayIn(await browser.read(weekAt(days)), days);
  const [out, off] = [await read(-3), await read(-2)];
  has(out, 'It is out.');
  has(off, 'Day off');
  await saveSettings(db, actor, { requireApproval: false });
  assert.equal(await read(-2), off);
  await db.updateTable('payments').set(ended).where('userId', '=', actor.userId).execute();
  await makePlan(db, actor, 3);
  await saveSettings(db, actor, { publishTimes: ['09:00', '14:00', '18:00'] });
  assert.equal(await read(-3), out);
  assert.equal(await read(-2), off);
  has(await read(2), '>09:00</time>', '>14:00</time>', '>18:00</time>');
});

test('times are those of the zone of the user', async () => {
  const { actor } = await somebody();
  await saveSettings(db, actor, { timeZone: 'Asia/Kolkata' });
  await makeScheduledPost(db, actor, { content: 'Late there.', dueAt: at(2, '20:00') });
  const browser = await browserOf(db, { ...actor, timeZone: 'Asia/Kolkata' }, origin);
  const html = await browser.read(weekAt(3));
  has(html, 'Times in Asia/Kolkata');
  has(dayIn(html, 3), '>01:30</time>', 'Late there.');
});

test('an address that names no month or week shows the present one', async () => {
  const { browser } = await somebody();
  for (const search of [
    'view=month',
    'view=month&month=2026-13',
    'view=week&week=nonsense',
    'view=week&week=2027-W53',
  ])
    has(await browser.read(`/app/scheduled?${search}`), `id="day-${dayOf(0)}"`);
  has(await browser.read('/app/scheduled?view=year'), 'No scheduled posts');
});

test('the dialog that moves a post opens over the calendar, and leads back to it', async () => {
  const { actor, browser } = await somebody();
  const id = await makeScheduledPost(db, actor, { content: 'Moves.', dueAt: at(2, '09:00') });
  const here = monthOf(2);
  has(
    dayIn(await browser.read(here), 2),
    `href="?${here.split('?')[1]!.replaceAll('&', '&amp;')}&amp;move=${id}"`,
  );
  const html = await browser.read(`${here}&move=${id}`);
  has(html, 'Move this post', `name="slot"`, `value="${dayOf(2)} 2"`, `id="day-${dayOf(2)}"`);
  assert.ok(html.includes(`value="${here.replaceAll('&', '&amp;')}`), 'the form does not lead back');
});

test('a slot is filled and a post moved from the calendar, and the same calendar comes back', async () => {
  const { actor, browser } = await somebody();
  const id = await makeScheduledPost(db, actor, { content: 'Moves.', dueAt: at(2, '09:00') });
  const from = monthOf(2);
  const moved = await browser.post(`/app/posts/${id}/move`, { slot: `${dayOf(3)} 2`, from });
  assert.equal(moved.headers.get('Location'), from);
  has(await browser.read(from), 'The post is planned for', 'Undo</button>');
  assert.equal((await readPost(db, id)).slotDate, dayOf(3));
  const filled = await browser.post('/app/generate', { slot: `${dayOf(2)} 1`, from });
  assert.equal(filled.headers.get('Location'), from);
  const html = await browser.read(from);
  has(dayIn(html, 2), 'Writing…');
  has(html, 'http-equiv="refresh"');
  const refused = await browser.post(`/app/posts/${id}/move`, { slot: `${dayOf(-3)} 1`, from });
  has(await browser.read(refused.headers.get('Location')!), 'This time has passed. Choose another one');
});

test('posts of Generate now are marked in the slots that they take, in whichever week those lie', async () => {
  const { actor, browser } = await somebody();
  const isMarked = async (days: number) => (await browser.read(weekAt(days))).includes('is-filling');
  const slots = await listFreeSlots(db, actor.userId, 21);
  const run = { userId: actor.userId, status: 'running', requested: 1, createdAt: new Date() } as const;
  await db.insertInto('generationRuns').values(run).execute();
  assert.equal(await isMarked(slots[0]!.day === dayOf(0) ? 0 : 1), true);
  for (const { key, iso } of slots.slice(0, 20)) {
    const [slotDate, number] = key.split(' ') as [string, string];
    const slot = { slotDate, slotNumber: Number(number) };
    await makeScheduledPost(db, actor, { dueAt: new Date(iso), slot });
  }
  const next = today.until(slots[20]!.day).days;
  const html = await browser.read(weekAt(next));
  has(dayIn(html, next), 'Writing…');
  has(html, 'http-equiv="refresh"');
  assert.equal(await isMarked(0), false);
});

test('whoever has no plan sees what stands there, and is offered no time', async () => {
  const actor = await makeUser(db, { timeZone: 'UTC' });
  await makeScheduledPost(db, actor, { content: 'Kept.', dueAt: at(2, '09:00') });
  const html = await (await browserOf(db, actor, origin)).read(weekAt(2));
  has(dayIn(html, 2), 'Kept.');
  assert.ok(!html.includes('Fill it'));
});

test('text is shown as it was typed, in the page and in its data', async () => {
  const { actor, browser } = await somebody();
  const content = `</script><b title="x">Bold & "new"</b>`;
  await makeScheduledPost(db, actor, { content, dueAt: at(2, '09:00') });
  const html = await browser.read(monthOf(2));
  has(dayIn(html, 2), '&lt;/script&gt;&lt;b title=&quot;x&quot;&gt;Bold &amp; &quot;new&quot;&lt;/b&gt;');
  assert.ok(!html.includes('<b title') && !html.includes('</script><b'));
});

test('the calendar sends only the first line of each post', async () => {
  const { actor, browser } = await somebody();
  const content = `The opening.\n\nThe rest, which no calendar shows.`;
  await makeScheduledPost(db, actor, { content, dueAt: at(2, '09:00') });
  for (const page of [monthOf(2), monthOf(2).replace('?', '.data?')]) {
    const sent = await browser.read(page);
    has(sent, 'The opening.');
    assert.ok(!sent.includes('no calendar shows'), page);
  }
});
