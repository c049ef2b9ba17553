import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAYS_OFF_MAX } from '#app/domain/automation/limits.ts';
import { fitPublishTimes } from '#app/domain/automation/schema.ts';
import {
  instantOf,
  localDateOf,
  nextTimeOfDay,
  slotOf,
  slotsAfter,
  type Timetable,
} from '#app/domain/automation/slots.ts';
import { SEED } from '#tests/harness/seed.ts';

const utc = (date: string, time: string, zone: string) => instantOf(date, time, zone).toISOString();

test('a time inside a gap moves forward by the gap, an ambiguous one is its first occurrence', () => {
  assert.equal(utc('2027-03-28', '02:30', 'Europe/Paris'), '2027-03-28T01:30:00.000Z');
  assert.equal(utc('2026-10-25', '02:30', 'Europe/Paris'), '2026-10-25T00:30:00.000Z');
  assert.equal(utc('2027-03-14', '02:30', 'America/New_York'), '2027-03-14T07:30:00.000Z');
  assert.equal(utc('2026-11-01', '01:30', 'America/New_York'), '2026-11-01T05:30:00.000Z');
});

test('ordinary times keep their wall clock in every kind of zone', () => {
  assert.equal(utc('2026-11-21', '09:00', 'Asia/Kathmandu'), '2026-11-21T03:15:00.000Z');
  assert.equal(utc('2026-11-21', '09:00', 'Pacific/Kiritimati'), '2026-11-20T19:00:00.000Z');
  assert.equal(utc('2026-01-05', '23:59', 'Australia/Lord_Howe'), '2026-01-05T12:59:00.000Z');
});

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
const zone = fc.constantFrom(...ZONES);
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([h, m]) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`);
const times = fc.uniqueArray(time, { minLength: 1, maxLength: 5 }).map((list) => list.sort());
const instant = fc.date({
  min: new Date('2026-01-01'),
  max: new Date('2028-12-31'),
  noInvalidDate: true,
});

test('no day has a slot twice or loses one, and slots come in order after the instant asked for', () => {
  fc.assert(
    fc.property(zone, times, instant, (timeZone, publishTimes, after) => {
      const slots = slotsAfter(after, { publishTimes, timeZone })
        .take(publishTimes.length * 4)
        .toArray();
      const keys = slots.map((slot) => `${slot.date} ${slot.number}`);
      assert.equal(new Set(keys).size, keys.length);
      assert.ok(slots.every((slot) => slot.at > after));
      assert.ok(slots.every(({ at }, index) => index === 0 || at > slots[index - 1]!.at));
      const lastDay = slots.at(-1)!.date;
      const whole = slots.filter(({ date }) => date !== lastDay && date > localDateOf(after, timeZone));
      const days = new Set(whole.map(({ date }) => date));
      assert.equal(whole.length, days.size * publishTimes.length);
    }),
    { numRuns: 500, seed: SEED },
  );
});

const seenFrom = (after: string, timetable: Timetable, count: number) =>
  slotsAfter(new Date(after), timetable)
    .take(count)
    .map(({ date, number, at }) => `${date.slice(5)} ${number} ${at.toISOString().slice(5, 16)}`)
    .toArray();

for (const timeZone of ['America/Nuuk', 'America/Scoresbysund']) {
  test(`where midnight is in a gap, in ${timeZone}, the slots of a day stand before those of the next`, () => {
    const publishTimes = ['00:00', '00:30', '12:00', '23:59'];
    assert.deepEqual(seenFrom('2027-03-27T12:00:00Z', { publishTimes, timeZone }, 5), [
      '03-27 3 03-27T14:00',
      '03-27 4 03-28T01:59',
      '03-28 1 03-28T02:00',
      '03-28 2 03-28T02:15',
      '03-28 3 03-28T13:00',
    ]);
  });
}

test('what a gap brings together or out of order stands 15 minutes apart, or as far as it was chosen to', () => {
  const paris = { timeZone: 'Europe/Paris', publishTimes: ['01:55', '02:10', '02:20', '03:05', '03:10'] };
  assert.deepEqual(seenFrom('2027-03-27T23:00:00Z', paris, 5), [
    '03-28 1 03-28T00:55',
    '03-28 2 03-28T01:10',
    '03-28 3 03-28T01:20',
    '03-28 4 03-28T01:35',
    '03-28 5 03-28T01:40',
  ]);
  assert.deepEqual(seenFrom('2026-10-24T22:30:00Z', paris, 5), [
    '10-25 1 10-24T23:55',
    '10-25 2 10-25T00:10',
    '10-25 3 10-25T00:20',
    '10-25 4 10-25T02:05',
    '10-25 5 10-25T02:10',
  ]);
});

test('a gap at midnight keeps the last slot of a day and the first of the next in order', () => {
  const publishTimes = ['00:10', '23:50'];
  const cairo = seenFrom('2027-04-29T12:00:00Z', { publishTimes, timeZone: 'Africa/Cairo' }, 3);
  assert.deepEqual(cairo, ['04-29 2 04-29T21:50', '04-30 1 04-29T22:10', '04-30 2 04-30T20:50']);
  const beirut = seenFrom('2027-03-27T12:00:00Z', { publishTimes, timeZone: 'Asia/Beirut' }, 3);
  assert.deepEqual(beirut, ['03-27 2 03-27T21:50', '03-28 1 03-27T22:10', '03-28 2 03-28T20:50']);
});

test('a day of the week and a single date that are left out have no slot', () => {
  const publishDays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
  const daysOff = ['2027-05-07', '2027-05-10'];
  const rule = { publishTimes: ['09:00'], timeZone: 'UTC', publishDays, daysOff };
  const dates = slotsAfter(new Date('2027-05-05T10:00:00Z'), rule).map(({ date }) => date);
  assert.deepEqual(dates.take(3).toArray(), ['2027-05-06', '2027-05-11', '2027-05-12']);
  assert.equal(slotOf('2027-05-07', 1, rule), undefined);
  assert.equal(slotOf('2027-05-08', 1, rule), undefined);
  assert.deepEqual(slotOf('2027-05-11', 1, rule)?.at, new Date('2027-05-11T09:00:00Z'));
});

test('what is left out changes no time of another day', () => {
  const rule = { publishTimes: ['00:30', '23:59'], timeZone: 'America/Nuuk' };
  const whole = slotOf('2027-03-28', 1, rule)!.at;
  assert.notDeepEqual(whole, instantOf('2027-03-28', '00:30', rule.timeZone));
  assert.deepEqual(slotOf('2027-03-28', 1, { ...rule, daysOff: ['2027-03-27'] })!.at, whole);
});

test('a timetable that leaves no day has no slots, and asking for them ends', () => {
  const rule = { publishTimes: ['09:00'], timeZone: 'UTC' };
  assert.deepEqual(
    slotsAfter(new Date(), { ...rule, publishDays: [] })
      .take(1)
      .toArray(),
    [],
  );
  assert.deepEqual(
    slotsAfter(new Date(), { ...rule, publishTimes: [] })
      .take(1)
      .toArray(),
    [],
  );
});

test('one day of the week is found behind as many days off as can be kept', () => {
  const fridays = Array.from({ length: DAYS_OFF_MAX }, (_, week) =>
    Temporal.PlainDate.from('2027-01-08').add({ weeks: week }).toString(),
  );
  const rule = { publishTimes: ['09:00'], timeZone: 'UTC', publishDays: ['friday'], daysOff: fridays };
  const [next] = slotsAfter(new Date('2027-01-01T10:00:00Z'), rule);
  assert.equal(next?.date, Temporal.PlainDate.from(fridays.at(-1)!).add({ weeks: 1 }).toString());
});

test('the next time of day is within about a day and shows the asked wall clock outside gaps', () => {
  fc.assert(
    fc.property(zone, time, instant, (timeZone, wanted, after) => {
      const next = nextTimeOfDay(wanted, timeZone, after);
      assert.ok(next > after);
      assert.ok(next.getTime() - after.getTime() <= 26 * 3_600_000);
    }),
    { numRuns: 500, seed: SEED },
  );
});

test('publish times are padded with the defaults or cut to the plan', () => {
  assert.deepEqual(fitPublishTimes([], 5), ['09:00', '14:00', '18:00', '21:00', '23:00']);
  assert.deepEqual(fitPublishTimes(['07:30'], 3), ['07:30', '14:00', '18:00']);
  assert.deepEqual(fitPublishTimes(['14:00'], 2), ['14:00', '09:00']);
  assert.deepEqual(fitPublishTimes(['08:00', '12:00', '17:00'], 1), ['08:00']);
});
