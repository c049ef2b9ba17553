import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { type Bound, countVisit, noteStored, secondsLeft } from '#app/domain/visits/visit-bounds.ts';
import { env } from '#app/env.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let day = Date.UTC(2026, 0, 1);
// Each test has a day of its own, so that nothing is left of the one before.
beforeEach(() => {
  day += DAY;
});

const come = (address: string, at = day, sessionId = 's') => countVisit(address, sessionId, at, 0);
const nth = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;

/** How many of so many are taken, and what the others are beyond. */
function outcome(times: number, act: (n: number) => Bound | undefined) {
  const counts: Record<string, number> = {};
  for (let n = 0; n < times; n += 1) {
    const said = act(n) ?? 'taken';
    counts[said] = (counts[said] ?? 0) + 1;
  }
  return counts;
}

test('one address is taken 300 times a minute, and again in the next', () => {
  assert.deepEqual(
    outcome(500, () => come('192.0.2.7')),
    { taken: 300, 'address.minute': 200 },
  );
  assert.equal(come('192.0.2.8'), undefined, 'another address is');
  assert.equal(come('192.0.2.7', day + MINUTE), undefined);
});

test('and 10,000 times a day, however patient it is', () => {
  const told = outcome(1_440 * 20, (n) => come('192.0.2.7', day + Math.floor(n / 20) * MINUTE));
  assert.deepEqual(told, { taken: 10_000, 'address.day': 18_800 });
  assert.equal(come('192.0.2.7', day + DAY), undefined);
});

test('a network is bounded however many addresses it has', () => {
  assert.deepEqual(
    outcome(2_560, (n) => come(`198.51.100.${n % 256}`)),
    { taken: 1_200, 'network.minute': 1_360 },
  );
  // Of a /48 there are 65,536 customers' networks.
  const of48 = (n: number) => `2001:db8:7:${(n % 65_536).toString(16)}::/64`;
  assert.deepEqual(
    outcome(2_000, (n) => come(of48(n))),
    { taken: 1_200, 'network.minute': 800 },
  );
  assert.equal(come('2001:db8:8:1::/64'), undefined, 'the next one is another');
  const told = outcome(1_440 * 100, (n) => come(of48(n), day + HOUR + Math.floor(n / 300) * MINUTE));
  assert.deepEqual(told, { taken: 48_800, 'network.day': 95_200 });
});

test('what is remembered does not grow with what is sent: further networks count as one', () => {
  const network = (n: number) => `${(n >> 8) & 255}.${n & 255}.${n >> 16}.1`;
  assert.deepEqual(
    outcome(50_000, (n) => come(network(n))),
    { taken: 50_000 },
  );
  assert.deepEqual(
    outcome(5_000, (n) => come(network(50_000 + n))),
    { taken: 1_200, 'network.minute': 3_800 },
  );
  assert.equal(come(network(7)), undefined, 'those that are known have their own');
});

test('of a day so many sessions are kept, and those that were there go on', () => {
  const told = outcome(210_000, (n) => come(nth(n % 60_000), day + (n % 1_000) * MINUTE, `s${n}`));
  assert.ok(told.taken! > 199_000 && told.taken! <= 200_000 + 50, JSON.stringify(told));
  assert.equal(told.taken! + told['sessions.day']!, 210_000);
  assert.equal(come('192.0.2.1', day, 's1'), undefined);
  assert.equal(come('192.0.2.1', day, 'never-seen'), 'sessions.day');
  assert.equal(come('192.0.2.1', day + DAY, 'never-seen'), undefined);
});

test('of a day so many are kept as the operator says', () => {
  const date = new Date(day).toISOString().slice(0, 10);
  noteStored(date, env().VISITS_A_DAY - 5);
  assert.equal(countVisit('192.0.2.1', 's', day, 4), undefined);
  assert.equal(countVisit('192.0.2.1', 's', day, 5), 'all.day');
  assert.equal(countVisit('192.0.2.1', 's', day + DAY, 5), undefined);
});

test('who is refused is told when the bound is over', () => {
  assert.equal(secondsLeft('address.minute', day + 59_000), 1);
  assert.equal(secondsLeft('network.day', day + 23 * HOUR), 3_600);
  assert.equal(secondsLeft('all.day', day), 86_400);
});
