import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { rejectPayment } from '#app/domain/payments/review/verify-reject.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatInstant, formatTime } from '#app/domain/platform/dates.ts';
import { stopPublishing } from '#app/domain/publishing/safety/pause.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { freeAgainAt } from '#app/domain/writing/quota.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeConnection } from '#tests/fixtures/linkedin.ts';
import { makePayment, makePlan } from '#tests/fixtures/payments.ts';
import { makeScheduledPost, makeTopic } from '#tests/fixtures/posts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { mainOf, wordsOf } from '#tests/harness/http/browser.ts';
import { goOnAfterEach } from '#tests/harness/reset-publishing.ts';
import { startWeb } from '#tests/harness/web.ts';

const { db, url: databaseUrl } = await testDatabase();
let url: string;
goOnAfterEach(() => db);
before(async () => {
  ({ url } = await startWeb({ databaseUrl, env: { LOG_LEVEL: 'silent' } }));
});

const DAY = 86_400_000;
const ago = (ms: number) => new Date(Date.now() - ms);
const ZONE = 'Asia/Kolkata';

type Page = 'dashboard' | 'topics' | 'scheduled' | 'posts' | 'payments' | 'linkedin';
const PAGES: Page[] = ['dashboard', 'topics', 'scheduled', 'posts', 'payments', 'linkedin'];

async function publisher(actor: Actor) {
  await makePlan(db, actor, 3);
  await makeTopic(db, actor);
  await makeConnection(db, actor);
}

async function reject(actor: Actor) {
  const { id } = await makePayment(db, actor, 2, new Date(), { currencyCode: 'INR' });
  const admin = await makeUser(db, { isAdmin: true });
  await rejectPayment(db, admin, { paymentId: id, reason: 'No such payment has come.' });
}

const queue = (actor: Actor) => makeScheduledPost(db, actor, { dueAt: new Date(Date.now() + 2 * DAY) });

type State = {
  name: string;
  make: (actor: Actor) => Promise<unknown>;
  /** What the line above a page says, and where it leads; null where it does not stand. */
  line: { says: RegExp; to: string | null } | null;
  /** What it says of that on the dashboard, which has the rest beside a button. */
  short?: RegExp;
  /** Pages that say it themselves, instead. */
  itself?: Partial<Record<Page, RegExp>>;
};

const SUBSCRIBE = '/app/dashboard?dialog=subscribe';
const STATES: State[] = [
  {
    name: 'new',
    make: async () => {},
    line: {
      says: /^No active plan\. You have 3 of 3 free posts left this month\. .*Subscribe$/,
      to: SUBSCRIBE,
    },
    short: /^No active plan\. With a plan, posts go out every day\. Subscribe$/,
  },
  {
    name: 'connected, with a topic and one free post written',
    make: async (actor) => {
      await makeTopic(db, actor);
      await makeConnection(db, actor);
      await generateNow(db, actor, { count: 1, topicId: undefined });
    },
    line: { says: /^No active plan\. You have 2 of 3 free posts left/, to: SUBSCRIBE },
    short: /^No active plan\. With a plan, posts go out every day\. Subscribe$/,
  },
  {
    name: 'without a free post left',
    make: async (actor) => {
      await makeTopic(db, actor);
      await generateNow(db, actor, { count: 3, topicId: undefined });
    },
    line: {
      says: /^No active plan\. Your 3 free posts of this month are used; you get new ones on \w{3} 01, \d{4}\./,
      to: SUBSCRIBE,
    },
    short: /^No active plan\. With a plan, posts go out every day\. Subscribe$/,
  },
  {
    name: 'with a payment being checked',
    make: (actor) => makePayment(db, actor, 3),
    line: {
      says: /^Payment pending\. Being checked since \d\d:\d\d\. .*24 hours.* mail\. View Payment Status$/,
      to: '/app/payments',
    },
    itself: { payments: /Payment pending Being checked since \d\d:\d\d/ },
  },
  {
    name: 'with a payment that is checked for longer than was promised',
    make: (actor) => makePayment(db, actor, 3, ago(2 * DAY)),
    line: {
      says: /Being checked since \w{3}, \w{3} \d\d, \d\d:\d\d\. That is longer than the 24 hours/,
      to: '/app/payments',
    },
    itself: { payments: /Payment pending Being checked since \w{3}, \w{3} \d\d/ },
  },
  {
    name: 'with a rejected payment',
    make: reject,
    line: {
      says: /^We could not verify your payment\. No such payment has come\. Submit again$/,
      to: '/app/dashboard?dialog=subscribe&step=2&posts=2&currency=INR',
    },
    itself: { payments: /We could not verify this payment No such payment has come\. Submit again/ },
  },
  {
    name: 'with a plan that has ended',
    make: (actor) => makePlan(db, actor, 1, new Date('2026-01-05T12:00:00Z')),
    line: {
      says: /^No active plan\. Your last one ended on Feb 05, 2026\..*Subscribe$/,
      to: `${SUBSCRIBE}&posts=1&currency=USD`,
    },
    itself: { payments: /Your plan has ended.*Renew Now/ },
  },
  {
    name: 'who has all that it takes',
    make: async (actor) => {
      await publisher(actor);
      await queue(actor);
    },
    line: null,
  },
  {
    name: 'with a plan and an upgrade being checked',
    make: async (actor) => {
      await publisher(actor);
      await makePayment(db, actor, 5, new Date(), { upgradeType: 'immediate' });
    },
    line: null,
    itself: { payments: /Payment pending Being checked since/ },
  },
  {
    name: 'who has lost LinkedIn',
    make: async (actor) => {
      await makePlan(db, actor, 3);
      await makeTopic(db, actor);
      await makeConnection(db, actor, { status: 'expired' });
      await queue(actor);
    },
    line: { says: /^LinkedIn is no longer connected\. It no longer accepts.* held/, to: '/app/linkedin' },
    itself: { linkedin: /LinkedIn needs to be connected again/ },
  },
  {
    name: 'without a plan, with a lost connection and with a payment being checked',
    make: async (actor) => {
      await makeConnection(db, actor, { status: 'expired' });
      await makePayment(db, actor, 1);
    },
    line: { says: /^Payment pending\./, to: '/app/payments' },
    itself: { payments: /Payment pending/, linkedin: /LinkedIn needs to be connected again/ },
  },
  {
    name: 'whose permission ends soon',
    make: async (actor) => {
      await makePlan(db, actor, 3);
      await makeConnection(db, actor, { expiresAt: new Date(Date.now() + 2.5 * DAY) });
    },
    line: { says: /^LinkedIn ends our permission in 3 days\..*Connect again$/, to: '/app/linkedin' },
    itself: { linkedin: /LinkedIn ends our permission in 3 days/ },
  },
  {
    name: 'who has never connected, with posts that wait',
    make: async (actor) => {
      await makePlan(db, actor, 3);
      await makeTopic(db, actor);
      await queue(actor);
    },
    line: { says: /^LinkedIn is not connected, so no post can go out\.$/, to: null },
    itself: { linkedin: /Until it is connected nothing can be published/ },
  },
  {
    name: 'who has paused',
    make: async (actor) => {
      await publisher(actor);
      await saveSettings(db, actor, { enabled: false });
    },
    line: { says: /^Automation is paused.*Turn automation on$/, to: '/app/dashboard#automation' },
    itself: { dashboard: /Paused: nothing is written or published by itself\. Resume/ },
  },
  {
    name: 'while the operator holds publishing',
    make: async (actor) => {
      await publisher(actor);
      await queue(actor);
      await stopPublishing(db, await makeUser(db, { isAdmin: true }), { reason: 'We look at something' });
    },
    line: { says: /^Publishing is paused: We look at something\. It goes on as soon/, to: null },
  },
];

/** The lines above the page: one, or none. */
const linesOf = (html: string) =>
  [...html.matchAll(/<(a|p)([^>]*class="status-banner[^>]*)>(.*?)<\/\1>/gs)].map(
    ([, , attributes, inner]) => ({
      words: wordsOf(inner!),
      to: /href="([^"]*)"/.exec(attributes!)?.[1]?.replaceAll('&amp;', '&') ?? null,
    }),
  );

async function make({ make }: State) {
  const actor = await makeUser(db, { timeZone: ZONE });
  await make(actor);
  return { actor, browser: await browserOf(db, actor, url) };
}

for (const state of STATES) {
  const { name, line, short, itself = {} } = state;
  test(`somebody ${name} reads on each page one line of how things stand`, async () => {
    const { browser } = await make(state);
    const pages = new Map<Page, string>();
    for (const page of PAGES) pages.set(page, await browser.read(`/app/${page}`));
    for (const [page, html] of pages) {
      const lines = linesOf(html);
      const own = itself[page];
      if (own) assert.match(wordsOf(html), own, page);
      if (own || !line) {
        assert.deepEqual(lines, [], page);
        continue;
      }
      assert.equal(lines.length, 1, page);
      assert.match(lines[0]!.words, page === 'dashboard' && short ? short : line.says, page);
      assert.equal(lines[0]!.to, line.to, page);
      const all = wordsOf(mainOf(html));
      const title = lines[0]!.words.split(/[.,:] /)[0]!;
      assert.equal(all.split(title).length, 2, `${page} says "${title}" once`);
      assert.ok(all.split(/\d (?:of \d )?free posts/).length <= 2, `${page} speaks of free posts once`);
    }
  });

  test(`each link before somebody ${name} leads to a place that is there`, async () => {
    const { browser } = await make(state);
    const seen = new Map<string, string>();
    const open = async (path: string): Promise<string> => {
      const answer = await browser.get(path);
      if (answer.status === 302) {
        const to = answer.headers.get('Location')!;
        assert.notEqual(to, '/', `${path} is no address of ours`);
        return open(to);
      }
      assert.equal(answer.status, 200, path);
      return answer.text();
    };
    for (const page of PAGES) {
      const here = `/app/${page}`;
      const isElsewhere = ([link]: RegExpExecArray) => !link.includes('aria-current="page"');
      const links = mainOf(await browser.read(here)).matchAll(/<a[^>]*href="([^"]*)"[^>]*>/g);
      for (const [, href] of links.filter(isElsewhere)) {
        const to = new URL(href!.replaceAll('&amp;', '&'), `${url}${here}`);
        if (to.origin !== url || seen.has(to.href)) continue;
        assert.notEqual(to.pathname + to.search + to.hash, here, `${here} links to itself`);
        seen.set(to.href, here);
        const html = /\.\w+$/.test(to.pathname) ? '' : await open(to.pathname + to.search);
        const why = `${href} on ${here}`;
        if (to.hash) assert.ok(html.includes(`id="${to.hash.slice(1)}"`), why);
        if (to.searchParams.has('dialog')) assert.match(html, /<dialog[^>]*class="dialog/, why);
      }
    }
  });
}

test('scripts are told the line of the page that they go to', async () => {
  const actor = await makeUser(db);
  const browser = await browserOf(db, actor, url);
  await makePayment(db, actor, 1);
  const toldAt = async (page: Page) =>
    (await browser.read(`/app/${page}.data`)).split('View Payment Status').length - 1;
  assert.deepEqual([await toldAt('topics'), await toldAt('payments')], [1, 0]);
});

test('the time since when a payment is checked is of its payer’s own clock', async () => {
  const actor = await makeUser(db, { timeZone: ZONE });
  const browser = await browserOf(db, actor, url);
  const { createdAt } = await makePayment(db, actor, 1);
  const [of] = linesOf(await browser.read('/app/topics'));
  assert.ok(of!.words.includes(`since ${formatTime(createdAt, ZONE)}.`));
  const earlier = ago(3 * DAY);
  await db.updateTable('payments').set({ createdAt: earlier }).where('userId', '=', actor.userId).execute();
  const [then] = linesOf(await browser.read('/app/topics'));
  assert.ok(then!.words.includes(`since ${formatInstant(earlier, ZONE)}.`));
});

test('nobody is led to pay a second time while a payment is being checked', async () => {
  const actor = await makeUser(db, { timeZone: ZONE });
  const browser = await browserOf(db, actor, url);
  const { transactionId, reference } = await makePayment(db, actor, 3, new Date(), { currencyCode: 'INR' });
  for (const page of PAGES) {
    const words = wordsOf(await browser.read(`/app/${page}`));
    assert.doesNotMatch(words, /No active plan|Choose a plan|Subscribe(?! to)/, page);
  }
  for (const step of ['', '&step=2&posts=3&currency=INR']) {
    const html = await browser.read(`${SUBSCRIBE}${step}`);
    const dialog = wordsOf(/<dialog[^>]*class="dialog.*?<\/dialog>/s.exec(html)![0]);
    assert.match(dialog, /^We are checking your payment/);
    assert.match(dialog, /₹1,649\.50 INR.*3 posts a day/);
    assert.ok(dialog.includes(transactionId));
    assert.match(
      dialog,
      /Being checked since \d\d:\d\d It is verified within 24 hours, and you get a mail\./,
    );
    assert.match(dialog, /Paid twice.*Write to support@tidepost\.example/);
    assert.doesNotMatch(dialog, /Continue to Payment|Submit/);
    assert.match(
      html,
      new RegExp(`href="mailto:support@tidepost\\.example\\?subject=Payment%20${reference}"`),
    );
  }
});

test('free posts come again with the next month of the user’s zone', () => {
  const again = (now: string, zone: string) => freeAgainAt(new Date(now), zone).toISOString();
  assert.equal(again('2026-01-31T12:00:00Z', 'UTC'), '2026-02-01T00:00:00.000Z');
  assert.equal(again('2026-02-01T00:00:00Z', 'UTC'), '2026-03-01T00:00:00.000Z');
  assert.equal(again('2026-12-31T20:00:00Z', ZONE), '2027-01-31T18:30:00.000Z');
  // 31 days of which one has 25 hours.
  assert.equal(again('2026-10-05T12:00:00Z', 'Europe/Berlin'), '2026-10-31T23:00:00.000Z');
});
