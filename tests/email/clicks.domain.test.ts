import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { ROW_LISTS } from '#app/domain/data-export/rows.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import { readTrackingParams, trackingParams } from '#app/domain/email/tracking/link-marks.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { readClickAnalytics, readClickSummary } from '#app/domain/visits/click-analytics.ts';
import { deleteClicksOf, deleteOldClicks } from '#app/domain/visits/delete-clicks.ts';
import { recordClick } from '#app/domain/visits/record-click.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
/** A Wednesday. */
const NOON = new Date('2026-11-18T12:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ago = (ms: number) => new Date(NOON.getTime() - ms);

let db: Db;
before(async () => {
  ({ db } = await testDatabase());
});
beforeEach(() => sql`truncate email_clicks, click_spans, click_totals, click_addresses`.execute(db));

/** Somebody to whom a mail went out. */
async function mailed(): Promise<Actor> {
  const actor = await makeUser(db);
  const to = { address: actor.email, userId: actor.userId };
  await queueMail(db, to, 'accountKept', { name: 'Ada', url: 'http://127.0.0.1/' });
  await db.updateTable('mails').set({ sentAt: NOON }).where('userId', '=', actor.userId).execute();
  return actor;
}

/** `nth`: of several mails of the same kind to the same address. */
function open(address: string, at = NOON, nth = 0) {
  const {
    email = '',
    campaign = '',
    ts = '',
  } = trackingParams({
    address,
    kind: 'accountKept',
    createdAt: new Date(NOON.getTime() - nth),
  });
  return recordClick(db, { email, campaign, ts, page: '/', userAgent: CHROME }, at);
}

const counts = (totalClicks: number, uniqueClicks: number) => ({ totalClicks, uniqueClicks });

test('what is counted is what is there: by day, week and month, an address once in each', async () => {
  const [ada, bo] = [await mailed(), await mailed()];
  const at = ['2026-11-18', '2026-11-16', '2026-11-15', '2026-11-01', '2026-10-31'];
  for (const day of at) {
    await open(ada.email, new Date(`${day}T23:59:59Z`));
    await open(bo.email, new Date(`${day}T00:00:00Z`));
    await open(bo.email, new Date(`${day}T00:00:00Z`), 1);
  }
  await Promise.all(Array.from({ length: 8 }, () => open(ada.email, NOON)));
  assert.deepEqual(await readClickSummary(db, NOON), {
    allTime: counts(16, 2),
    today: counts(4, 2),
    thisWeek: counts(7, 2),
    thisMonth: counts(13, 2),
  });
  assert.deepEqual(await readClickSummary(db, ago(-30 * DAY)), {
    allTime: counts(16, 2),
    today: counts(0, 0),
    thisWeek: counts(0, 0),
    thisMonth: counts(0, 0),
  });
  const { clicksByBrowser, topClickers } = await readClickAnalytics(db);
  assert.deepEqual(clicksByBrowser, [{ _id: 'Chrome', count: 16 }]);
  assert.deepEqual(
    topClickers.map(({ _id, clicks }) => [_id, clicks]),
    [
      [bo.email, 10],
      [ada.email, 6],
    ],
  );
});

test('after 180 days a click is gone, with its last one the address, and what was counted stays', async () => {
  const [ada, bo] = [await mailed(), await mailed()];
  for (const days of [1, 179, 181, 400]) await open(ada.email, ago(days * DAY));
  await open(bo.email, ago(181 * DAY));
  await Promise.all([deleteOldClicks(db, NOON), deleteOldClicks(db, NOON)]);
  const left = await db.selectFrom('emailClicks').select(['address', 'clickedAt']).orderBy('id').execute();
  assert.deepEqual(left, [
    { address: ada.email, clickedAt: ago(DAY) },
    { address: ada.email, clickedAt: ago(179 * DAY) },
  ]);
  const { topClickers } = await readClickAnalytics(db);
  assert.deepEqual(topClickers, [{ _id: ada.email, clicks: 2, lastClick: ago(DAY) }]);
  assert.deepEqual((await readClickSummary(db, NOON)).allTime, counts(5, 2));
  await deleteOldClicks(db, ago(-400 * DAY));
  assert.deepEqual((await readClickAnalytics(db)).topClickers, []);
});

test('whose account goes, or whose mails are forgotten, is in none of it', async () => {
  const [ada, bo] = [await mailed(), await mailed()];
  for (const { email } of [ada, bo]) await open(email);
  await db.deleteFrom('users').where('id', '=', ada.userId).execute();
  await open(ada.email, ago(HOUR));
  await db.updateTable('emailClicks').set({ userId: null }).execute();
  await db.updateTable('clickAddresses').set({ userId: null }).execute();
  await deleteClicksOf(db, bo.email);
  for (const table of ['emailClicks', 'clickAddresses'] as const)
    assert.deepEqual(await db.selectFrom(table).select('address').execute(), [], table);
});

test('its owner takes all of them along, some at a time, each once', async () => {
  const { email, userId, ...actor } = await mailed();
  const other = await mailed();
  await open(other.email);
  for (let n = 0; n < 250; n += 1) await open(email, ago(Math.floor(n / 10) * HOUR), n % 10);
  const pages = [];
  for await (const page of ROW_LISTS.clicksInMails!(db, { email, userId, ...actor })) pages.push(page);
  assert.deepEqual(
    pages.map(({ length }) => length),
    [100, 100, 50],
  );
  const own = pages.flat() as { id: string; clickedAt: Date; address: string }[];
  assert.equal(new Set(own.map(({ id }) => id)).size, 250);
  assert.ok(own.every(({ address }) => address === email));
  assert.ok(own.every(({ clickedAt }, at) => at === 0 || clickedAt <= own[at - 1]!.clickedAt));
  assert.deepEqual(Object.keys(own[0]!).includes('createdAt'), false);
});

test('marks are good for the address, the kind and the time that they name, and say so with any of our keys', () => {
  const mail = { address: 'Ada@People.example', kind: 'accountKept', createdAt: NOON };
  const { email = '', campaign = '', ts = '', source } = trackingParams(mail);
  assert.deepEqual([email, source, campaign], [mail.address, 'email', mail.kind]);
  assert.ok(ts.startsWith(`${NOON.getTime()}.`));
  const read = { address: 'ada@people.example', kind: campaign, createdAt: NOON };
  assert.deepEqual(readTrackingParams({ email: 'ada@people.example', campaign, ts }), read);
  for (const said of [
    { email: 'bo@people.example', campaign, ts },
    { email, campaign: 'newDevice', ts },
    { email, campaign, ts: ts.replace(/^\d+/, String(NOON.getTime() + 1)) },
    { email, campaign, ts: String(NOON.getTime()) },
    { email: `${email}\naccountKept`, campaign: '', ts },
  ])
    assert.equal(readTrackingParams(said), undefined, JSON.stringify(said));
});
