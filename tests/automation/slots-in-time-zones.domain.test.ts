import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { instantOfRun } from '#app/domain/automation/due-users.ts';
import { WEEKDAYS } from '#app/domain/automation/limits.ts';
import {
  localDateOf,
  localDays,
  nextTimeOfDay,
  type Slot,
  slotOf,
  slotsAfter,
  slotsBetween,
  slotsOfRun,
  type Timetable,
} from '#app/domain/automation/slots.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ZONES = [
  'Europe/Paris',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Africa/Cairo',
  'Asia/Beirut',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'America/Nuuk',
  'Asia/Gaza',
  'Antarctica/Troll',
  'UTC',
];

const asTime = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** Around midnight and early in the morning clocks are changed. */
const minute = fc.oneof(
  fc.integer({ min: 0, max: 24 * 60 - 1 }),
  fc.integer({ min: 0, max: 4 * 60 }),
  fc.integer({ min: 22 * 60, max: 24 * 60 - 1 }),
);
const publishTimes = (count: number) =>
  fc
    .uniqueArray(minute, { minLength: count, maxLength: count })
    .map((minutes) => minutes.sort((a, b) => a - b).map(asTime));

const dayAfter = (date: string) => new Date(Date.parse(date) + DAY).toISOString().slice(0, 10);

/** What a clock on the wall shows, by another way than the one that is tested. */
function wallClock(timeZone: string): (at: Date) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return (at) => format.format(at);
}

/** The instant at which the clock was last put forward. */
function lastGap(at: Date, timeZone: string): number {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at.getTime() + 1).toZonedDateTimeISO(timeZone);
  const change = zoned.getTimeZoneTransition('previous');
  assert.ok(change, `no gap in ${timeZone} before ${at.toISOString()}`);
  const before = change.subtract({ nanoseconds: 1 });
  assert.ok(
    change.offsetNanoseconds > before.offsetNanoseconds,
    `no gap in ${timeZone}, ${at.toISOString()}`,
  );
  return change.epochMilliseconds;
}

/** One after the other by date and number, each later than the one before by what it has to be. */
function checkOrder(slots: Slot[], { publishTimes: times, timeZone }: Timetable): void {
  const clockOf = ({ date, number }: Slot) => Date.parse(`${date}T${times[number - 1]}Z`);
  for (const [index, slot] of slots.entries()) {
    const before = slots[index - 1];
    if (!before) continue;
    const isSameDay = before.number < times.length;
    const expected = isSameDay ? [before.date, before.number + 1] : [dayAfter(before.date), 1];
    assert.deepEqual([slot.date, slot.number], expected, timeZone);
    const chosen = clockOf(slot) - clockOf(before);
    const apart = slot.at.getTime() - before.at.getTime();
    assert.ok(apart >= Math.min(15 * MINUTE, chosen), `${timeZone} ${slot.date} ${slot.number}: ${apart} ms`);
  }
}

/** It shows the time that was chosen, or a gap was just before. */
function checkClock(slots: Slot[], timetable: Timetable): void {
  const { publishTimes: times, timeZone } = timetable;
  const shown = wallClock(timeZone);
  for (const slot of slots) {
    const { date, number, at } = slot;
    const chosen = `${date} ${times[number - 1]}`;
    if (shown(at) === chosen) continue;
    assert.ok(at.getTime() - lastGap(at, timeZone) < 4 * HOUR, `${timeZone} ${chosen} at ${shown(at)}`);
    assert.deepEqual(slotOf(date, number, timetable), slot);
  }
}

test('in every zone there is, for two years, slots keep their order, their number and their time', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  assert.ok(zones.length > 400);
  const chosen = fc.sample(publishTimes(3), { numRuns: zones.length, seed: 17 });
  for (const [index, timeZone] of zones.entries()) {
    const timetable = { publishTimes: chosen[index]!, timeZone };
    const slots = slotsAfter(new Date('2026-11-20T12:00:00Z'), timetable)
      .take(3 * 731)
      .toArray();
    checkOrder(slots, timetable);
    checkClock(slots, timetable);
  }
});

test('around every change of the clocks slots keep their order, however they were chosen', () => {
  const start = Temporal.Instant.from('2026-11-20T12:00:00Z');
  const changes = [...ZONES, 'America/Scoresbysund', 'Asia/Tehran'].flatMap((timeZone) => {
    const change = start.toZonedDateTimeISO(timeZone).getTimeZoneTransition('next');
    const second = change?.getTimeZoneTransition('next');
    return [change, second].flatMap((at) => (at ? [{ timeZone, at: at.epochMilliseconds }] : []));
  });
  assert.ok(changes.length >= 18);
  const rule = fc.integer({ min: 1, max: 5 }).chain(publishTimes);
  fc.assert(
    fc.property(fc.constantFrom(...changes), rule, ({ timeZone, at }, times) => {
      const timetable = { publishTimes: times, timeZone };
      const slots = slotsAfter(new Date(at - 2 * DAY), timetable)
        .take(4 * times.length)
        .toArray();
      checkOrder(slots, timetable);
      checkClock(slots, timetable);
      const shown = wallClock(timeZone);
      for (const slot of slots) {
        assert.deepEqual(slotOf(slot.date, slot.number, timetable), slot);
        assert.notEqual(shown(new Date(slot.at.getTime() - HOUR)), shown(slot.at), 'its second occurrence');
      }
    }),
    { numRuns: 2_000, seed: 23 },
  );
});

type Rule = Required<Timetable> & { creation: string };
const SIMULATED_DAYS = 400;
const START = new Date('2026-11-20T00:30:00Z');

/** What is written and published when all that counts is the clock: by the minute of each run and each slot. */
function simulate(rule: Rule) {
  const { timeZone, creation } = rule;
  const end = START.getTime() + SIMULATED_DAYS * DAY;
  const waiting = new Map<string, Slot & { writtenAt: Date }>();
  const published: (Slot & { writtenAt: Date })[] = [];
  const taken = new Set<string>();
  let nextRunAt = nextTimeOfDay(creation, timeZone, START);
  let mostAtOnce = 0;
  for (;;) {
    const due = [...waiting.values()].map(({ at }) => at.getTime());
    const now = new Date(Math.min(nextRunAt.getTime(), ...due));
    if (now.getTime() >= end) return { published, mostAtOnce };
    for (const [key, post] of waiting) {
      if (post.at > now) continue;
      published.push(post);
      waiting.delete(key);
    }
    if (nextRunAt > now) continue;
    const run = instantOfRun({ userId: '', contentCreationTime: creation, timeZone, nextRunAt }, now);
    nextRunAt = nextTimeOfDay(creation, timeZone, now);
    let written = 0;
    for (const slot of slotsOfRun(run, { ...rule, contentCreationTime: creation })) {
      const key = `${slot.date} ${slot.number}`;
      if (slot.at <= now || taken.has(key)) continue;
      taken.add(key);
      waiting.set(key, { ...slot, writtenAt: now });
      written += 1;
    }
    mostAtOnce = Math.max(mostAtOnce, written);
  }
}

const leftOut = (date: string, { publishDays, daysOff }: Rule) =>
  daysOff.includes(date) || !publishDays.includes(WEEKDAYS[(new Date(date).getUTCDay() + 6) % 7]!);

for (const timeZone of ZONES.slice(0, 13)) {
  test(`for ${SIMULATED_DAYS} days in ${timeZone} each slot of each day chosen is used once, at its time`, () => {
    const shown = wallClock(timeZone);
    const rules = fc.sample(
      fc.record({
        timeZone: fc.constant(timeZone),
        publishTimes: publishTimes(3),
        creation: minute.map(asTime),
        publishDays: fc.subarray([...WEEKDAYS], { minLength: 1 }),
        daysOff: fc.uniqueArray(
          fc.integer({ min: 2, max: 390 }).map((day) => new Date(START.getTime() + day * DAY)),
          { maxLength: 20 },
        ),
      }),
      { numRuns: 5, seed: 400 },
    );
    for (const { daysOff: off, ...chosen } of rules) {
      const rule: Rule = { ...chosen, daysOff: off.map((at) => at.toISOString().slice(0, 10)) };
      const { published, mostAtOnce } = simulate(rule);
      assert.ok(mostAtOnce <= 3, `${mostAtOnce} posts written at once`);
      const times = published.map(({ at }) => at.getTime());
      assert.ok(
        times.every((at, index) => index === 0 || at > times[index - 1]!),
        'out of order, or two at once',
      );
      const keys = published.map(({ date, number }) => `${date} ${number}`);
      assert.equal(new Set(keys).size, keys.length, 'a slot was used twice');
      for (const { date, number, at, writtenAt } of published) {
        assert.ok(!leftOut(date, rule), `published on ${date}`);
        assert.ok(writtenAt < at);
        const time = rule.publishTimes[number - 1]!;
        if (shown(at) === `${date} ${time}`) continue;
        assert.ok(
          at.getTime() - lastGap(at, timeZone) < 4 * HOUR,
          `${date} ${time} went out at ${shown(at)}`,
        );
      }
      // From the first day with all its slots after the first run, to the last one before the end.
      const [first, last] = [dayAfter(dayAfter(published[0]!.date)), published.at(-1)!.date];
      const expected: string[] = [];
      for (let date = first; date < last; date = dayAfter(date)) {
        if (leftOut(date, rule)) continue;
        expected.push(...rule.publishTimes.map((_, index) => `${date} ${index + 1}`));
      }
      assert.deepEqual(
        keys.filter((key) => key >= first && key.slice(0, 10) < last),
        expected,
      );
    }
  });
}

/** The instants at which a zone changes its clock, from a year until before another. */
function* changesOf(zone: string, from: number, to: number) {
  let at = Temporal.PlainDate.from(`${from}-01-01`).toZonedDateTime(zone).getTimeZoneTransition('next');
  for (; at && at.year < to; at = at.getTimeZoneTransition('next')) yield at;
}

test('around each change of a clock the days of every zone are those of its calendar', () => {
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    for (const change of changesOf(zone, 2005, 2030)) {
      for (const minutes of [-24 * 60, -61, -30, 0, 30, 61, 24 * 60]) {
        const at = change.add({ minutes });
        const date = at.toPlainDate();
        const name = `${zone} ${at}`;
        assert.equal(localDateOf(new Date(at.epochMilliseconds), zone), date.toString(), name);
        const [day] = localDays(date.toString(), 1, zone);
        assert.equal(day!.start.getTime(), date.toZonedDateTime(zone).epochMilliseconds, name);
        assert.equal(day!.end.getTime(), date.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds, name);
      }
    }
  }
});

test('each slot is in a run, also where a gap moves the creation time behind it', () => {
  const early = fc.integer({ min: 0, max: 5 * 60 });
  const rule = fc.record({
    timeZone: fc.constantFrom(...ZONES),
    publishTimes: fc
      .uniqueArray(early, { minLength: 1, maxLength: 5 })
      .map((all) => all.sort((a, b) => a - b).map(asTime)),
    contentCreationTime: early.map(asTime),
  });
  const paris = { timeZone: 'Europe/Paris', publishTimes: ['03:00'], contentCreationTime: '02:30' };
  const property = fc.property(rule, fc.integer({ min: 0, max: 800 }), (timetable, day) => {
    const { contentCreationTime: time, timeZone } = timetable;
    const first = nextTimeOfDay(time, timeZone, new Date(START.getTime() + day * DAY));
    const seen = new Set<string>();
    let run = first;
    for (let runs = 0; runs < 20; runs += 1) {
      for (const { date, number } of slotsOfRun(run, timetable)) seen.add(`${date} ${number}`);
      run = nextTimeOfDay(time, timeZone, run);
    }
    for (const { date, number } of slotsBetween(first, run, timetable)) {
      assert.ok(seen.has(`${date} ${number}`), `${date} ${number} ${JSON.stringify(timetable)}`);
    }
  });
  fc.assert(property, { numRuns: 3_000, seed: 29, examples: [[paris, 120]] });
});
