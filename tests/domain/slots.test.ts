import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fitPublishTimes } from '#app/domain/automation/schema.ts';
import { instantOf, localDateOf, nextTimeOfDay, slotsAfter } from '#app/domain/automation/slots.ts';

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
      assert.ok(slots.every(({ at }, index) => index === 0 || at >= slots[index - 1]!.at));
      const lastDay = slots.at(-1)!.date;
      const whole = slots.filter(({ date }) => date !== lastDay && date > localDateOf(after, timeZone));
      const days = new Set(whole.map(({ date }) => date));
      assert.equal(whole.length, days.size * publishTimes.length);
    }),
    { numRuns: 500 },
  );
});

for (const timeZone of ['America/Nuuk', 'America/Scoresbysund']) {
  test(`where midnight is in a gap, in ${timeZone}, slots of both days come soonest first`, () => {
    const publishTimes = ['00:00', '00:30', '12:00', '23:59'];
    const slots = slotsAfter(new Date('2027-03-27T12:00:00Z'), { publishTimes, timeZone }).take(6).toArray();
    const instants = slots.map(({ at }) => at.getTime());
    assert.deepEqual(
      instants,
      instants.toSorted((a, b) => a - b),
    );
    assert.deepEqual(
      slots.slice(0, 4).map(({ date, number }) => `${date} ${number}`),
      ['2027-03-27 3', '2027-03-28 1', '2027-03-28 2', '2027-03-27 4'],
    );
  });
}

test('the next time of day is within about a day and shows the asked wall clock outside gaps', () => {
  fc.assert(
    fc.property(zone, time, instant, (timeZone, wanted, after) => {
      const next = nextTimeOfDay(wanted, timeZone, after);
      assert.ok(next > after);
      assert.ok(next.getTime() - after.getTime() <= 26 * 3_600_000);
    }),
    { numRuns: 500 },
  );
});

test('publish times are padded with the defaults or cut to the plan', () => {
  assert.deepEqual(fitPublishTimes([], 5), ['09:00', '14:00', '18:00', '21:00', '23:00']);
  assert.deepEqual(fitPublishTimes(['07:30'], 3), ['07:30', '14:00', '18:00']);
  assert.deepEqual(fitPublishTimes(['14:00'], 2), ['14:00', '09:00']);
  assert.deepEqual(fitPublishTimes(['08:00', '12:00', '17:00'], 1), ['08:00']);
});
