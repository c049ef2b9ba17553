import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Db, transact } from '#app/db/client.ts';
import { eraseUser } from '#app/domain/accounts/lifecycle/deletion-requests.ts';
import { findUser } from '#app/domain/accounts/users.ts';
import { prepare } from '#app/domain/payments/checkout/payment-info.ts';
import { getRequest, listRequests } from '#app/domain/payments/checkout/requests.ts';
import { submitProof } from '#app/domain/payments/checkout/submit.ts';
import { deletePaymentData } from '#app/domain/payments/delete-user-data.ts';
import { REQUEST_GOOD_HOURS } from '#app/domain/payments/limits.ts';
import { toMajor } from '#app/domain/payments/money.ts';
import { getPayment } from '#app/domain/payments/payment.ts';
import { findPrice } from '#app/domain/payments/prices.ts';
import { isExpiredUnpaid } from '#app/domain/payments/review/expired-unpaid.ts';
import { listPendingPayments } from '#app/domain/payments/review/list-pending.ts';
import type { Credit } from '#app/domain/payments/review/preview.ts';
import { recordLatePayment } from '#app/domain/payments/review/record-late-payment.ts';
import { rejectPayment, verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import { cancelPlan } from '#app/domain/payments/subscription/cancel.ts';
import { endPlans } from '#app/domain/payments/subscription/expiry.ts';
import { extendPlan } from '#app/domain/payments/subscription/extend.ts';
import { addMonth } from '#app/domain/payments/subscription/periods.ts';
import { listPlanSpans, type PlanSpan, splitAt, totalMs } from '#app/domain/payments/subscription/spans.ts';
import { findActivePlan } from '#app/domain/payments/subscription/subscription.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { PageQuery } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { transactionId } from '#tests/fixtures/payments.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { checkEarnings, checkPlans } from '#tests/harness/payment-totals.ts';
import { SEED } from '#tests/harness/seed.ts';
import { withEnv } from '#tests/harness/with-env.ts';

/** HISTORIES=2000 plays so many. */
const HISTORIES = Number(process.env.HISTORIES ?? 320);
/** Played beside each other, each on a database of its own: a history waits for the database most of its time. */
const LANES = 4;
const HOUR = 3_600_000;
const ZONES = [
  'UTC',
  'Asia/Kolkata',
  'America/New_York',
  'Europe/Paris',
  'Pacific/Auckland',
  'America/St_Johns',
  'Australia/Lord_Howe',
];
/** Days whose number the next month may not have, and days on which a zone changes its clock. */
const HARD_DAYS = [
  '2027-01-31',
  '2028-01-29',
  '2028-01-30',
  '2028-01-31',
  '2028-02-29',
  '2027-03-31',
  '2027-05-31',
  '2027-08-31',
  '2027-10-31',
  '2027-12-31',
  '2027-02-14',
  '2027-03-14',
  '2027-03-28',
  '2027-04-04',
  '2027-09-26',
  '2027-10-03',
  '2027-11-07',
];

type Lane = {
  db: Db;
  admins: [Actor, Actor];
  usual: { currencyCode: string; postsPerDay: number; amountMinor: number }[];
};

async function openLane(): Promise<Lane> {
  const { db } = await testDatabase(2);
  const [one, two] = [await makeUser(db, { isAdmin: true }), await makeUser(db, { isAdmin: true })];
  return { db, admins: [one, two], usual: await db.selectFrom('prices').selectAll().execute() };
}

const hours = fc.oneof(
  fc.constantFrom(0, 1 / 3600, 1 / 3_600_000),
  fc.double({ min: 0, max: 80, noNaN: true }),
  fc.double({ min: 0, max: 24 * 45, noNaN: true }),
);
const posts = fc.integer({ min: 1, max: 5 });
const kind = fc.constantFrom('immediate' as const, 'immediate' as const, 'next_billing' as const);
const currency = fc.constantFrom('USD', 'USD', 'USD', 'EUR', 'INR', 'AED', 'GBP');
const pick = fc.nat(20);
const percent = fc.constantFrom(0, 25, 50, 99, 100);
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), hours }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('ask' as const), posts, kind, currency }) },
  // From the look at step 2 over the payment to the verification, with time between.
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('buy' as const),
      posts,
      kind,
      currency,
      first: hours,
      later: hours,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('submit' as const), pick }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('verify' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reject' as const) }) },
  // Turned down, and the same payment once more.
  { weight: 3, arbitrary: fc.record({ do: fc.constant('again' as const), hours }) },
  // Paid for a request that is over, and taken in by an admin.
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('takeIn' as const),
      posts,
      kind,
      currency,
      isAsked: fc.boolean(),
      pick,
      later: hours,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('renew' as const), first: hours, later: hours }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lapse' as const), hours }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('promote' as const), percent }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('price' as const),
      posts,
      currency,
      times: fc.double({ min: 0.3, max: 2, noNaN: true }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sweep' as const) }) },
  // Days that cost nothing, given by an admin.
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('extend' as const), days: fc.integer({ min: 1, max: 90 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move' as const), pick }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const start = fc.oneof(
  fc
    .integer({ min: 0, max: 2 * 365 * 24 })
    .map((hours) => Date.parse('2027-01-01T00:00:00.123Z') + hours * HOUR),
  fc
    .record({ day: fc.constantFrom(...HARD_DAYS), minutes: fc.integer({ min: -14 * 60, max: 38 * 60 }) })
    .map(({ day, minutes }) => Date.parse(`${day}T00:00:00.123Z`) + minutes * 60_000),
);
const history = fc.record({
  start,
  isOneCurrency: fc.boolean(),
  zone: fc.constantFrom(...ZONES),
  promoPercent: percent,
  steps: fc.array(step, { minLength: 6, maxLength: 22 }),
});

type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

const played = {
  histories: 0,
  verified: 0,
  upgrades: 0,
  late: 0,
  moved: 0,
  refused: 0,
  rejected: 0,
  again: 0,
  renewed: 0,
  lapsed: 0,
  cancelled: 0,
  repriced: 0,
  promoted: 0,
  zones: 0,
  free: 0,
  twoAdmins: 0,
  otherCurrency: 0,
  asAsked: 0,
  isProrated: 0,
  firsts: 0,
  downgraded: 0,
  shortened: 0,
  leapDays: 0,
  clocksChanged: 0,
  extended: 0,
  givenBehindCredit: 0,
  covered: 0,
  erased: 0,
  earned: 0,
};

/** What a clock on the wall of a zone says, told by other means than those that count months. */
function wallClock(at: Date, timeZone: string) {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...({ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' } as const),
    ...({ hour: 'numeric', minute: 'numeric', second: 'numeric' } as const),
  }).formatToParts(at);
  const read = (type: string) => Number(parts.find((part) => part.type === type)!.value);
  const minutes = read('hour') * 60 + read('minute') + read('second') / 60;
  const month = read('year') * 12 + read('month') - 1;
  const day = read('day');
  // As many minutes as lie between the clock of the zone and UTC.
  const shift = Date.UTC(read('year'), read('month') - 1, day, 0, minutes) - Math.floor(+at / 1000) * 1000;
  return { month, day, minutes, shift };
}

/** A whole month: to the same day and time of the next one, or to its last day. */
function checkMonth(from: Date, to: Date, timeZone: string): void {
  const [begin, end] = [wallClock(from, timeZone), wallClock(to, timeZone)];
  const last = new Date(Date.UTC(Math.floor(end.month / 12), (end.month % 12) + 1, 0)).getUTCDate();
  const what = `${from.toISOString()} to ${to.toISOString()} in ${timeZone}`;
  assert.deepEqual([end.month, end.day], [begin.month + 1, Math.min(begin.day, last)], what);
  // A time that the clock leaves out is as much later as it leaves out.
  const later = end.minutes - begin.minutes;
  const isLeftOut = later > 0 && wallClock(new Date(+to - later * 60_000), timeZone).shift !== end.shift;
  assert.ok(later === 0 || isLeftOut, what);
  if (end.day < begin.day) played.shortened++;
  if (last === 29) played.leapDays++;
  if (begin.shift !== end.shift) played.clocksChanged++;
}

/** What it costs when somebody asks is what they asked at: each lane has a promotion of its own. */
const promotions = new AsyncLocalStorage<{ percent: number }>();

/** One person, whose clock goes on as the steps say. */
class Person {
  now: Date;
  /** How much of the credited plan was left when its request was opened. */
  left = new Map<string, number>();
  /** How much more the credited plan costs in its own currency than in the other one, as it was then. */
  ratios = new Map<string, number>();
  zones = new Set<string>();
  /** Of each plan, how long it was given for nothing. */
  given = new Map<string, number>();
  /** The credit of each request as it was noted last. */
  noted = new Map<string, string>();
  /** Which plan the credit of each request is of. */
  credited = new Map<string, string>();
  /** When each plan began, by every plan that was made of them: who moves it before it runs gives its rest another start. */
  starts = new Map<string, Set<number>>();
  readonly lane: Lane;
  readonly actor: Actor;
  readonly code: string | undefined;

  constructor(lane: Lane, actor: Actor, now: Date, code: string | undefined) {
    this.lane = lane;
    this.actor = actor;
    this.now = now;
    this.code = code;
    this.zones.add(actor.timeZone);
  }

  pieces = () => listPlanSpans(this.lane.db, [this.actor.userId]);

  wait(by: number): void {
    this.now = new Date(this.now.getTime() + Math.round(by * HOUR));
  }

  async ask({
    posts: postsPerDay,
    kind,
    currency,
  }: {
    posts: number;
    kind: 'immediate' | 'next_billing';
    currency: string;
  }) {
    const plan = await findActivePlan(this.lane.db, this.actor.userId, this.now);
    const upgradeType = plan ? kind : null;
    const info = await prepare(
      this.lane.db,
      this.actor,
      { postsPerDay, currencyCode: this.code ?? currency, upgradeType },
      this.now,
    );
    await this.note(info);
    return info;
  }

  /** What the credit of a request is computed from, as it is where that happens. */
  async note({
    credit,
    reference,
    currencyCode,
  }: {
    credit: Credit | null;
    reference: string;
    currencyCode: string;
  }) {
    if (!credit || credit.from.getTime() !== this.now.getTime()) return;
    // Looked at once more in the same millisecond: a price that changed in between has no part in it.
    const { paymentId, from, minor } = credit;
    const said = JSON.stringify({ paymentId, from, minor });
    if (this.noted.get(reference) === said) return;
    this.noted.set(reference, said);
    const own = (await this.pieces()).filter(({ paymentId }) => paymentId === credit.paymentId);
    this.credited.set(reference, credit.paymentId);
    this.left.set(reference, totalMs(splitAt(own, this.now).after));
    const { db } = this.lane;
    const paid = await getPayment(db, credit.paymentId);
    const priceIn = async (code: string) => (await findPrice(db, code, paid.postsPerDay)).amountMinor;
    const isSame = paid.currencyCode === currencyCode;
    this.ratios.set(
      reference,
      isSame ? 1 : (await priceIn(paid.currencyCode)) / (await priceIn(currencyCode)),
    );
    if (!isSame) played.otherCurrency++;
  }

  async submit(nth: number) {
    const open = await listRequests(this.lane.db, this.actor);
    const request = open[nth % Math.max(1, open.length)];
    if (!request) return;
    const { postsPerDay, currencyCode, upgradeType, amountMinor } = request;
    const choice = { postsPerDay, currencyCode, upgradeType, amount: toMajor(amountMinor) };
    // Where nothing is to be paid it is asked anew, at the price of now, and begins at once.
    const plan = { postsPerDay, currencyCode, upgradeType };
    const isFree = amountMinor === 0;
    const taken = isFree ? await prepare(this.lane.db, this.actor, plan, this.now) : request;
    if (isFree) await this.note(taken);
    const proof = { ...choice, transactionId: transactionId(), startImmediately: null };
    const payment = await submitProof(this.lane.db, this.actor, proof, this.now);
    // What was asked is what is taken, and its reference stays.
    assert.deepEqual([payment.amountMinor, payment.reference], [amountMinor, taken.reference]);
    assert.equal(payment.status, amountMinor === 0 ? 'active' : 'pending');
    // One that ran out and would say the same is asked for anew as it is submitted.
    if (amountMinor > 0) return this.note(await getRequest(this.lane.db, payment.requestId!));
    await this.noteStarts();
    played.free++;
  }

  async noteStarts() {
    const pieces = await this.pieces();
    for (const [id, [first]] of Map.groupBy(pieces, ({ paymentId }) => paymentId)) {
      this.starts.set(id, (this.starts.get(id) ?? new Set()).add(first!.startsAt.getTime()));
    }
    return pieces;
  }

  waiting = async () =>
    this.lane.db
      .selectFrom('payments')
      .select(['id', 'requestId'])
      .where('userId', '=', this.actor.userId)
      .where('status', '=', 'pending')
      .executeTakeFirst();

  async verify(): Promise<void> {
    const waiting = await this.waiting();
    if (!waiting) return;
    const { rows } = await listPendingPayments(this.lane.db, PageQuery.parse({ limit: 100 }), this.now);
    const { preview } = rows.find(({ id }) => id === waiting.id)!;
    const [one, two] = this.lane.admins;
    let verified = await verifyPayment(this.lane.db, one, waiting.id, this.now);
    if (verified.status === 'pending') {
      played.twoAdmins++;
      await assert.rejects(verifyPayment(this.lane.db, one, waiting.id, this.now), {
        code: 'needs_another_admin',
      });
      verified = await verifyPayment(this.lane.db, two, waiting.id, this.now);
    }
    const { startsAt, endsAt, upgradeType } = verified;
    // It did what was said before it was pressed.
    assert.deepEqual([preview.startsAt, preview.endsAt], [startsAt, endsAt]);
    const { after } = splitAt(await this.noteStarts(), this.now);
    for (const { paymentId, startsAt, endsAt } of preview.moved) {
      assert.deepEqual(
        after.filter((piece) => piece.paymentId === paymentId).map((piece) => [piece.startsAt, piece.endsAt]),
        [[startsAt, endsAt]],
      );
    }
    // From now on there is no gap.
    let last = this.now;
    for (const piece of after) {
      assert.deepEqual(piece.startsAt, last);
      last = piece.endsAt;
    }
    if (upgradeType === 'immediate') assert.deepEqual(startsAt, this.now);
    if (preview.takenMs === 0 && preview.shareMs === null) {
      const { timeZone } = await findUser(this.lane.db, this.actor.userId);
      checkMonth(startsAt!, endsAt!, timeZone);
    }
    const before = (await this.pieces()).findLast((piece) => piece.endsAt <= startsAt!);
    if (upgradeType === null) played.firsts++;
    if (upgradeType === 'next_billing' && before && verified.postsPerDay < before.postsPerDay) {
      played.downgraded++;
    }
    played.verified++;
    played.moved += preview.moved.length;
    if (upgradeType === 'immediate') played.upgrades++;
    if (preview.usedMs > 0) played.late++;
  }

  async reject(): Promise<void> {
    const waiting = await this.waiting();
    if (!waiting) return;
    await rejectPayment(
      this.lane.db,
      this.lane.admins[1],
      { paymentId: waiting.id, reason: 'No such transfer' },
      this.now,
    );
    played.rejected++;
  }

  async takeIn(step: Extract<Step, { do: 'takeIn' }>): Promise<void> {
    if (step.isAsked) {
      await this.ask(step);
      this.wait(REQUEST_GOOD_HOURS);
    }
    const { db, admins } = this.lane;
    const [open, closed] = [await listRequests(db, this.actor), await listRequests(db, this.actor, 'closed')];
    const lost = [...open, ...closed].filter((request) => isExpiredUnpaid(request, this.now));
    const request = lost[step.pick % Math.max(1, lost.length)];
    if (!request) return;
    const meant = { requestId: request.id, payerId: this.actor.userId, transactionId: transactionId() };
    const { amountMinor, reference, isProrated } = await recordLatePayment(db, admins[0], meant, this.now);
    assert.deepEqual([amountMinor, reference], [request.amountMinor, request.reference]);
    played[isProrated ? 'isProrated' : 'asAsked']++;
    this.wait(step.later);
    await this.verify();
  }

  async again(hours: number): Promise<void> {
    const waiting = await this.waiting();
    if (!waiting) return;
    await this.reject();
    this.wait(hours);
    const open = await listRequests(this.lane.db, this.actor);
    await this.submit(open.findIndex(({ id }) => id === waiting.requestId));
    played.again++;
  }

  async renew({ first, later }: { first: number; later: number }): Promise<void> {
    const plan = await findActivePlan(this.lane.db, this.actor.userId, this.now);
    if (!plan) return;
    await this.buy({
      do: 'buy',
      posts: plan.postsPerDay,
      kind: 'next_billing',
      currency: plan.currencyCode as 'USD',
      first,
      later,
    });
    played.renewed++;
  }

  /** Until all that is paid for is over, and some more. */
  async lapse(hours: number): Promise<void> {
    const end = (await this.pieces()).at(-1)?.endsAt;
    if (!end || end < this.now) return;
    this.now = end;
    this.wait(hours);
    played.lapsed += await endPlans(this.lane.db, this.now);
  }

  async extend(days: number): Promise<void> {
    const { db, admins } = this.lane;
    const plan = await findActivePlan(db, this.actor.userId, this.now);
    if (!plan) return;
    const before = splitAt(await this.pieces(), this.now);
    const endsAt = before.after[0]!.endsAt;
    const gift = { userId: this.actor.userId, endsAt, days, reason: 'LinkedIn was down' };
    await extendPlan(db, admins[0], gift, this.now);
    const after = splitAt(await this.noteStarts(), this.now);
    // What ran is as it was, and what was to come comes in the same order.
    const order = (pieces: PlanSpan[]) => pieces.map(({ paymentId }) => paymentId);
    const times = (pieces: PlanSpan[]) => pieces.flatMap(({ startsAt, endsAt }) => [startsAt, endsAt]);
    assert.deepEqual(
      [order(after.before), times(after.before)],
      [order(before.before), times(before.before)],
    );
    assert.deepEqual(order(after.after), order(before.after));
    const ms = days * 24 * HOUR;
    this.given.set(plan.id, (this.given.get(plan.id) ?? 0) + ms);
    // What is given after the credit was said is not credited.
    const decided = await db
      .selectFrom('payments')
      .select('reference')
      .where('userId', '=', this.actor.userId)
      .where('verifiedAt', 'is not', null)
      .execute();
    const isDecided = new Set(decided.map(({ reference }) => reference));
    for (const [reference, paymentId] of this.credited) {
      if (paymentId !== plan.id || isDecided.has(reference)) continue;
      this.left.set(reference, this.left.get(reference)! + ms);
      played.givenBehindCredit++;
    }
    played.extended++;
  }

  async price({ posts, currency, times }: { posts: number; currency: string; times: number }): Promise<void> {
    const currencyCode = this.code ?? currency;
    const usual = this.lane.usual.find(
      (row) => row.currencyCode === currencyCode && row.postsPerDay === posts,
    )!;
    const amountMinor = Math.max(1, Math.round(usual.amountMinor * times));
    await this.lane.db
      .updateTable('prices')
      .set({ amountMinor })
      .where('currencyCode', '=', currencyCode)
      .where('postsPerDay', '=', posts)
      .execute();
    played.repriced++;
  }

  promote(percent: number): void {
    promotions.getStore()!.percent = percent;
    played.promoted++;
  }

  async cancel(): Promise<void> {
    await cancelPlan(this.lane.db, this.actor, this.now);
    played.cancelled++;
  }

  async move(nth: number): Promise<void> {
    const timeZone = ZONES[nth % ZONES.length]!;
    this.zones.add(timeZone);
    played.zones++;
    await this.lane.db.updateTable('users').set({ timeZone }).where('id', '=', this.actor.userId).execute();
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'wait') this.wait(step.hours);
    else if (step.do === 'ask') await this.ask(step);
    else if (step.do === 'submit') await this.submit(step.pick);
    else if (step.do === 'verify') await this.verify();
    else if (step.do === 'reject') await this.reject();
    else if (step.do === 'takeIn') await this.takeIn(step);
    else if (step.do === 'again') await this.again(step.hours);
    else if (step.do === 'renew') await this.renew(step);
    else if (step.do === 'lapse') await this.lapse(step.hours);
    else if (step.do === 'price') await this.price(step);
    else if (step.do === 'promote') this.promote(step.percent);
    else if (step.do === 'extend') await this.extend(step.days);
    else if (step.do === 'cancel') await this.cancel();
    else if (step.do === 'sweep') await endPlans(this.lane.db, this.now);
    else if (step.do === 'move') await this.move(step.pick);
    else await this.buy(step);
  }

  async buy(step: Extract<Step, { do: 'buy' }>): Promise<void> {
    const { reference } = await this.ask(step);
    this.wait(step.first);
    const open = await listRequests(this.lane.db, this.actor);
    await this.submit(open.findIndex((request) => request.reference === reference));
    this.wait(step.later);
    await this.verify();
  }

  async live(steps: Step[]): Promise<void> {
    for (const one of steps) {
      await this.take(one).catch((error: unknown) => {
        if (!(error instanceof Refusal) || error.status >= 500) throw error;
        played.refused++;
      });
    }
  }
}

/** Everything verified, with what it was asked for and the pieces in which it ran. */
async function account({ lane: { db }, actor, left, zones, starts, given }: Person) {
  const stored = await db
    .selectFrom('payments')
    .innerJoin('paymentRequests as request', 'request.id', 'payments.requestId')
    .select([
      'payments.id',
      'payments.reference',
      'payments.postsPerDay',
      'payments.currencyCode',
      'startsAt',
    ])
    .select(['payments.amountMinor', 'payments.fullPriceMinor', 'payments.verifiedAt', 'promoPercent'])
    .select(['creditMinor', 'creditPaymentId', 'creditedFrom', 'creditedMs', 'isProrated'])
    .where('payments.userId', '=', actor.userId)
    .where('verifiedAt', 'is not', null)
    .execute();
  // By share neither credit nor promotion count.
  const none = {
    promoPercent: 0,
    creditMinor: 0,
    creditPaymentId: null,
    creditedFrom: null,
    creditedMs: null,
  };
  const rows = stored.map((row) => (row.isProrated ? { ...row, ...none } : row));
  const pieces = await listPlanSpans(db, [actor.userId]);
  const own = (id: string, all: PlanSpan[]) => all.filter(({ paymentId }) => paymentId === id);
  const bought = rows.map((row) => {
    const credited = Number(row.creditedMs ?? 0);
    const before = row.creditPaymentId
      ? splitAt(own(row.creditPaymentId, pieces), row.verifiedAt!).before
      : [];
    const used = row.creditedFrom ? totalMs(splitAt(before, row.creditedFrom).after) : 0;
    const overused = Math.max(0, used - ((left.get(row.reference) ?? 0) - credited));
    const ran = totalMs(own(row.id, pieces));
    const paid = row.fullPriceMinor - Math.floor((row.fullPriceMinor * (100 - row.promoPercent)) / 100);
    const free = given.get(row.id) ?? 0;
    return { ...row, free, credited, backed: credited - Math.min(credited, overused), ran, promo: paid };
  });
  const months = (id: string) =>
    [...(starts.get(id) ?? [])].flatMap((at) =>
      [...zones].map((zone) => addMonth(new Date(at), zone).getTime() - at),
    );
  return { bought, months };
}

async function balance(person: Person): Promise<void> {
  const { bought, months } = await account(person);
  const ratioOf = ({ reference }: { reference: string }) => person.ratios.get(reference) ?? 1;
  // No instant is covered twice.
  const pieces = await person.pieces();
  for (const [index, piece] of pieces.slice(1).entries()) {
    assert.ok(piece.startsAt >= pieces[index]!.endsAt, `covered twice at ${piece.startsAt.toISOString()}`);
  }
  let [money, straight] = [0, 0];
  for (const one of bought) {
    const { fullPriceMinor, amountMinor, creditMinor, credited, backed, ran, promo, free } = one;
    if (!one.isProrated) assert.equal(amountMinor + creditMinor + promo, fullPriceMinor);
    const given = bought.filter(({ creditPaymentId }) => creditPaymentId === one.id);
    const givenMs = given.reduce((sum, other) => sum + other.backed, 0);
    const used = credited === 0 ? 0 : (creditMinor * (credited - backed)) / credited / fullPriceMinor;
    const share = one.isProrated ? 1 - amountMinor / fullPriceMinor : used;
    // Time served, time credited and time that pays for credited time which was served: all that was paid for, to the millisecond.
    const paidFor = ran + givenMs - free;
    const isWhole = months(one.id).some((month) => Math.abs(paidFor - month * (1 - share)) <= 1);
    assert.ok(
      isWhole,
      `${one.reference}: ${ran} ms ran, ${givenMs} ms credited, ${free} ms given, ${share} of ${months(one.id)}`,
    );
    // What was paid for it, without credit that was used up, covers what ran and what was credited on.
    const month = Math.max(...months(one.id).filter((ms) => Math.abs(paidFor - ms * (1 - share)) <= 1));
    const worth = amountMinor + (credited === 0 ? creditMinor : (creditMinor * backed) / credited);
    const rate = (fullPriceMinor - promo) / month;
    const given_ = given.reduce(
      (sum, g) => sum + (g.credited === 0 ? 0 : (g.creditMinor * g.backed * ratioOf(g)) / g.credited),
      0,
    );
    const most = given.reduce((sum, g) => sum + g.creditMinor * ratioOf(g), 0);
    assert.ok(most <= amountMinor + creditMinor + 1e-6, 'credit never exceeds what was paid');
    const gift = free * rate;
    assert.ok(
      ran * rate + given_ <= worth + gift + 1e-3,
      `${one.reference}: ${ran * rate} + ${given_} of ${worth} + ${gift}`,
    );
    money += amountMinor;
    straight += ran * rate - gift;
  }
  if (new Set(bought.map(({ currencyCode }) => currencyCode)).size < 2) {
    assert.ok(straight <= money + 1e-3, `paid ${money} for what costs ${straight} bought straight`);
  }
}

/** What is kept beside the payments says the same as they do, also while plans run and after their payer has gone. */
async function standing({ lane: { db }, actor, now }: Person): Promise<void> {
  if (played.histories % 3 === 0) {
    await transact(db, async (trx) => {
      await deletePaymentData(trx, actor.userId, now);
      await eraseUser(trx, { id: actor.userId, email: actor.email });
    });
    played.erased++;
  }
  const days = played.histories % 2 === 0 ? 0 : 40;
  played.covered += await checkPlans(db, new Date(+now + days * 24 * HOUR));
}

/** One history, on a database where everything costs what it usually does. */
async function play(lane: Lane, { start, isOneCurrency, zone, promoPercent, steps }: History): Promise<void> {
  const actor = await makeUser(lane.db, { timeZone: zone });
  const person = new Person(lane, actor, new Date(start), isOneCurrency ? 'USD' : undefined);
  await promotions.run({ percent: promoPercent }, async () => {
    await person.live(steps);
    await balance(person);
    // Nobody is left waiting at the desk of the next history.
    await person.reject();
  });
  await standing(person);
  if (steps.some((step) => step.do === 'price')) {
    for (const { amountMinor, currencyCode, postsPerDay } of lane.usual) {
      await lane.db
        .updateTable('prices')
        .set({ amountMinor })
        .where('currencyCode', '=', currencyCode)
        .where('postsPerDay', '=', postsPerDay)
        .where('amountMinor', '<>', amountMinor)
        .execute();
    }
  }
  played.histories++;
}

/** The configuration, with the promotion of the lane that asks. */
function withPromotions<T>(act: () => Promise<T>): Promise<T> {
  const usual = env().PROMO_PERCENT;
  const give = (property: PropertyDescriptor) =>
    Object.defineProperty(env(), 'PROMO_PERCENT', { configurable: true, enumerable: true, ...property });
  return withEnv({ PAYMENT_FOUR_EYES: new Map([['USD', 3000]]) }, () => {
    give({ get: () => promotions.getStore()?.percent ?? usual });
    return act().finally(() => give({ writable: true, value: usual }));
  });
}

test('of any history, time served and time credited are the time paid for, and no order of steps is cheaper than buying straight', async (t) => {
  const lanes = await Promise.all(Array.from({ length: LANES }, openLane));
  const begun = Date.now();
  const numRuns = Math.ceil(HISTORIES / LANES);
  await withPromotions(async () => {
    const all = lanes.map((lane, nth) =>
      fc.assert(
        fc.asyncProperty(history, (one) => play(lane, one)),
        { numRuns, seed: SEED + nth },
      ),
    );
    await Promise.all(all);
  });
  for (const { db } of lanes) played.earned += await checkEarnings(db);
  const seconds = ((Date.now() - begun) / 1000).toFixed(1);
  t.diagnostic(`${played.histories} histories in ${seconds} s: ${JSON.stringify(played)}`);
  const { upgrades, late, ...every } = played;
  const missing = Object.entries(every).filter(([, count]) => count === 0);
  assert.ok(upgrades > HISTORIES / 16 && late > HISTORIES / 40, JSON.stringify(played));
  assert.deepEqual(missing, []);
});
