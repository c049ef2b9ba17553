import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { NEXT_TIMES, WEEKDAYS } from '#app/domain/automation/limits.ts';
import { getSettings } from '#app/domain/automation/settings.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatTime } from '#app/domain/platform/dates.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeConnection } from '#tests/fixtures/linkedin.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makeTopic } from '#tests/fixtures/posts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { Browser } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

const { db, url: databaseUrl } = await testDatabase();
let origin: string;
before(async () => {
  origin = (await startWeb({ databaseUrl })).url;
});

/** The dashboard with the form of the settings. */
const PAGE = '/app/dashboard?settings';
const ZONE = 'Asia/Kathmandu';
const today = Temporal.Now.plainDateISO(ZONE);
const inDays = (days: number) => today.add({ days }).toString();
const weekdayIn = (days: number) =>
  today.add({ days }).toLocaleString('en-US', { weekday: 'long' }).toLowerCase();

/** Somebody who sees the settings. No call is made. */
async function owner(): Promise<Actor> {
  const actor = await makeUser(db, { timeZone: ZONE });
  await makePlan(db, actor, 1);
  await makeTopic(db, actor);
  await saveSettings(db, actor, { publishTimes: ['09:15'] });
  await makeConnection(db, actor);
  return actor;
}

const FIELDS: string[][] = [
  ['contentCreationTime', '08:00'],
  ['publishTimes[0]', '09:15'],
  ['requireApproval', 'off'],
  ['timeZone', ZONE],
];
const ticked = (html: string, name: string) =>
  [...html.matchAll(/<input[^>]*>/g)]
    .map(([input]) => input)
    .filter((input) => input.includes(`name="${name}"`) && input.includes('checked'))
    .map((input) => /value="([^"]*)"/.exec(input)![1]);
/** The times in the part of the page that shows what comes next. */
const nextOn = (html: string) =>
  [.../<output[\s\S]*?<\/output>/.exec(html)![0].matchAll(/>(\w{3}, \w{3} \d\d, \d\d:\d\d)</g)].map(
    (found) => found[1],
  );
const inWords = (days: number) =>
  `${today.add({ days }).toLocaleString('en-US', { weekday: 'short', month: 'short', day: '2-digit' })}, 09:15`;

test('the settings save days and days off, and show the next times at which posts go out', async () => {
  const actor = await owner();
  const browser = await browserOf(db, actor, origin);
  const fresh = await browser.read(PAGE);
  assert.equal(ticked(fresh, 'publishDays').length, 7);
  assert.equal(nextOn(fresh).length, NEXT_TIMES);
  assert.ok(fresh.includes('Times in Asia/Kathmandu.'));
  const days = [2, 3, 5].map((ahead) => ['publishDays', weekdayIn(ahead)]);
  const saved = await browser.post(PAGE, [
    ...FIELDS,
    ...days,
    ['daysOff', inDays(3)],
    ['daysOff', ''],
    ['daysOff', inDays(9)],
    ['daysOff', ''],
  ]);
  assert.equal(saved.headers.get('Location'), '/app/dashboard?settings#automation');
  const html = await browser.read(PAGE);
  assert.equal(ticked(html, 'publishDays').length, 3);
  assert.deepEqual(ticked(html, 'daysOff'), [inDays(3), inDays(9)]);
  assert.ok(html.includes('Untick one to take it back.'));
  assert.deepEqual(nextOn(html), [2, 5, 10, 12, 16].map(inWords));
  await browser.post(PAGE, [...FIELDS, ...days, ['daysOff', inDays(9)]]);
  assert.deepEqual((await getSettings(db, actor)).daysOff, [inDays(9)]);
});

test('the settings say what they are, and their form is closed until it is asked for or refused', async () => {
  const actor = await owner();
  const browser = await browserOf(db, actor, origin);
  const isOpen = (html: string) => html.includes('Save All Settings');
  const html = await browser.read('/app/dashboard');
  assert.ok(!isOpen(html) && html.includes('href="/app/dashboard?settings#automation"'));
  assert.ok(html.includes('>Every day, 09:15, Asia/Kathmandu</span>'));
  assert.ok(html.includes('>One post a day, written at 08:00 · it goes out by itself</span>'));
  assert.ok(!html.includes('>Days off: '));
  const asked = await browser.read(PAGE);
  assert.ok(isOpen(asked) && asked.includes('action="/app/dashboard?settings#automation"'));
  assert.ok(asked.includes('href="/app/dashboard?settings=closed#automation"'));
  assert.ok(!isOpen(await browser.read('/app/dashboard?settings=closed')));
  assert.ok(isOpen(await (await browser.post(PAGE, FIELDS)).text()));
  await saveSettings(db, actor, { daysOff: [inDays(9)], requireApproval: true, enabled: false });
  const paused = await browser.read('/app/dashboard');
  assert.match(paused, /written at 08:00 · you approve each<[\s\S]*>Days off: (<!-- -->)?\w{3}, \w{3} \d\d</);
  assert.ok(paused.includes('once it is active'));
});

test('who has no posts yet reads when the first ones are written, and not while some are', async () => {
  const actor = await owner();
  const browser = await browserOf(db, actor, origin);
  const said = async () => />(No posts yet\.[^<]*)</.exec(await browser.read('/app/dashboard'))![1];
  const nextRunAt = new Date(Date.now() + 18 * 3_600_000);
  await db.updateTable('automationSettings').set({ nextRunAt }).where('userId', '=', actor.userId).execute();
  const time = formatTime(nextRunAt, ZONE);
  assert.equal(await said(), `No posts yet. The first ones are written in 18 h, at ${time}.`);
  await db.insertInto('generationRuns').values({ userId: actor.userId, requested: 1 }).execute();
  assert.equal(await said(), 'No posts yet. What is written for you stands here.');
});

test('times are typed in 24 hours, the way people write them', async () => {
  const actor = await owner();
  const browser = await browserOf(db, actor, origin);
  const timeOn = (html: string) => /<input[^>]*name="publishTimes\[0\]"[^>]*>/.exec(html)![0];
  assert.doesNotMatch(timeOn(await browser.read(PAGE)), /type="time"/);
  const days = [['publishDays', weekdayIn(2)]];
  for (const [typed, kept] of [
    ['7:05', '07:05'],
    ['1845', '18:45'],
    [' 6.30 ', '06:30'],
  ] as const) {
    const fields = FIELDS.map(([name, value]) => [name!, name === 'publishTimes[0]' ? typed : value!]);
    assert.equal((await browser.post(PAGE, [...fields, ...days])).status, 302);
    assert.match(timeOn(await browser.read(PAGE)), new RegExp(`value="${kept}"`));
  }
  for (const typed of ['24:00', '9:60', '7pm', '12345']) {
    const fields = FIELDS.map(([name, value]) => [name!, name === 'publishTimes[0]' ? typed : value!]);
    const answer = await browser.post(PAGE, [...fields, ...days]);
    assert.equal(answer.status, 422);
    assert.match(await answer.text(), /Please give a time as HH:MM/);
  }
});

test('minutes beside the full hour are suggested for the publish times', async () => {
  const html = await (await browserOf(db, await owner(), origin)).read(PAGE);
  const [, id] = /<fieldset aria-describedby="([\w-]+)"><legend[^>]*>Publish times</.exec(html)!;
  assert.match(html, new RegExp(`<p id="${id}"[^>]*>[^<]*such as 09:07 or 14:23`));
});

test('settings without a day, or with a date that has passed, are refused, and what was chosen stays', async () => {
  const actor = await owner();
  const browser = await browserOf(db, actor, origin);
  const none = await browser.post(PAGE, [...FIELDS, ['daysOff', inDays(2)]]);
  assert.equal(none.status, 422);
  const html = await none.text();
  assert.ok(html.includes('Choose at least one day of the week on which posts go out'));
  assert.deepEqual(ticked(html, 'publishDays'), []);
  assert.match(html, new RegExp(`<input[^>]*type="date"[^>]*value="${inDays(2)}"`));
  const past = [...FIELDS, ['publishDays', 'monday'], ['daysOff', '2020-02-03']];
  const refused = await browser.post(PAGE, past);
  assert.equal(refused.status, 422);
  const said = await refused.text();
  assert.ok(said.includes('Mon, Feb 03, 2020 has passed. Choose a day off that is still to come'));
  assert.deepEqual(ticked(said, 'publishDays'), ['monday']);
  const { publishDays, daysOff } = await getSettings(db, actor);
  assert.deepEqual([publishDays.length, daysOff], [7, []]);
});

test('of the settings only what differs from what their form began with is saved', async () => {
  const actor = await owner();
  const browser = await browserOf(db, actor, origin);
  const begunOn = (html: string) =>
    /name="begunWith" value="([^"]*)"/.exec(html)![1]!.replaceAll('&quot;', '"');
  const begunWith = begunOn(await browser.read(PAGE));
  const elsewhere = { requireApproval: true, publishDays: ['monday' as const], daysOff: [inDays(9)] };
  await saveSettings(db, actor, elsewhere);
  const days = ticked(await browser.read('/app/dashboard?settings'), 'publishDays');
  assert.deepEqual(days, ['monday']);
  const old = WEEKDAYS.map((day) => ['publishDays', day]);
  const sent = [...FIELDS, ...old, ['daysOff', ''], ['begunWith', begunWith]];
  const typed = (fields: string[][], time: string) =>
    fields.map(([name, value]) => [name!, name === 'contentCreationTime' ? time : value!]);
  assert.equal((await browser.post(PAGE, sent)).status, 302);
  assert.equal((await browser.post(PAGE, typed(sent, '05:45'))).status, 302);
  const { contentCreationTime, ...kept } = await getSettings(db, actor);
  assert.equal(contentCreationTime, '05:45');
  assert.partialDeepStrictEqual(kept, elsewhere);
  const refused = await browser.post(PAGE, typed(sent, 'noon'));
  assert.equal(refused.status, 422);
  assert.equal(begunOn(await refused.text()), begunWith);
  for (const bad of ['{', 'null', '[]', '"on"']) {
    const answer = await browser.post(PAGE, [...FIELDS, ...old, ['begunWith', bad]]);
    assert.equal(answer.status, 422);
    assert.match(await answer.text(), /Please load the page again/);
  }
  assert.deepEqual(await getSettings(db, actor), { ...kept, contentCreationTime });
});

test('the times of settings that are not saved are told, and nothing is kept', async () => {
  const actor = await owner();
  const browser = await browserOf(db, actor, origin);
  const ask = async (fields: string[][]) => {
    const answer = await browser.get(`/app/automation/times?${new URLSearchParams(fields)}`);
    assert.equal(answer.status, 200);
    return answer.json();
  };
  const some = [...FIELDS, ['publishDays', weekdayIn(2)], ['daysOff', inDays(9)], ['daysOff', '']];
  assert.deepEqual(await ask(some), {
    times: [2, 16, 23, 30, 37].map(inWords),
    note: 'Times in Asia/Kathmandu.',
  });
  assert.deepEqual(await ask(FIELDS), {
    times: [],
    note: 'Choose at least one day of the week on which posts go out.',
  });
  const { note } = await ask([...some, ['daysOff', '2020-02-03']]);
  assert.equal(note, 'Mon, Feb 03, 2020 has passed. Choose a day off that is still to come.');
  const hostile = [...some, ['publishTimes[99999999]', '1'], ['__proto__[x]', '1'], ['timeZone.x', '1']];
  assert.equal((await ask(hostile)).times.length, NEXT_TIMES);
  assert.equal((await getSettings(db, actor)).publishDays.length, 7);
  await saveSettings(db, actor, { enabled: false });
  assert.match((await ask(some)).note, /They count once you switch automation on/);
  const stranger = await new Browser(origin).get('/app/automation/times');
  assert.equal(stranger.status, 302);
});

test('a day that is left out says on the dashboard that no posts go out', async () => {
  const actor = await owner();
  const browser = await browserOf(db, actor, origin);
  assert.ok(!(await browser.read('/app/dashboard')).includes('No posts go out today'));
  await saveSettings(db, actor, { daysOff: [inDays(0)] });
  const html = await browser.read('/app/dashboard');
  assert.ok(html.includes('No posts go out today') && html.includes('You left it out'));
});

test('the form of the settings comes with all zones, of which the one that is set is chosen', async () => {
  const actor = await owner();
  await saveSettings(db, actor, { timeZone: 'Asia/Tokyo' });
  const browser = await browserOf(db, actor, origin);
  const optionsOn = (html: string): string[] => html.match(/<option value="[A-Z][^"]*"[^>]*>/g) ?? [];
  const set = '<option value="Asia/Tokyo" selected="">';
  assert.deepEqual(optionsOn(await browser.read('/app/dashboard')), []);
  const whole = optionsOn(await browser.read(PAGE));
  assert.ok(whole.length > 400 && whole.includes(set));
  const bare = whole.map((option) => option.replace(' selected=""', ''));
  // A name for a zone that the list does not have stays what it is.
  await saveSettings(db, actor, { timeZone: ZONE });
  assert.deepEqual(optionsOn(await browser.read(PAGE)), [`<option value="${ZONE}" selected="">`, ...bare]);
});

test('how a day off is taken back is said where there is one', async () => {
  const html = await (await browserOf(db, await owner(), origin)).read(PAGE);
  assert.match(html, /Nothing is published on these dates\./);
  assert.doesNotMatch(html, /Untick one/);
});
