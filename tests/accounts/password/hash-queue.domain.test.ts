import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { queueHash } from '#app/domain/accounts/password/password.ts';
import { inRequest } from '#app/domain/platform/events.ts';

const from = (network: string, work: () => Promise<unknown>) =>
  inRequest(
    'a request',
    () => queueHash(work),
    () => network,
  );

/** Begins `count` hashes from a network, which take as long as `until`; answers what became of each. */
const storm = (network: string, count: number, until: Promise<unknown>, done: string[] = []) =>
  Array.from({ length: count }, () =>
    from(network, async () => {
      await until;
      done.push(network);
    }).then(
      () => 'done',
      ({ status }: { status: number }) => status,
    ),
  );

test('who comes from elsewhere waits for one hash of each network, not for all of a storm', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done: string[] = [];
  const all = ['one', 'other'].flatMap((network) => storm(network, 40, promise, done));
  const mine = storm('mine', 1, promise, done);
  resolve();
  assert.deepEqual(await Promise.all(mine), ['done']);
  assert.ok(done.length <= 8, `${done.length} were done before`);
  assert.deepEqual(new Set(await Promise.all(all)), new Set(['done']));
});

test('where a storm has taken every place, the network that waits the most gives one up', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const all = storm('one', 120, promise);
  const mine = storm('mine', 2, promise);
  await wait(10);
  resolve();
  assert.deepEqual(await Promise.all(mine), ['done', 'done']);
  const became = await Promise.all(all);
  assert.ok(became.filter((each) => each === 503).length >= 20);
  assert.ok(became.slice(0, 90).every((each) => each === 'done'));
});

test('of many networks that have one place each nobody is put out', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const all = Array.from({ length: 110 }, (_, nth) => storm(`network ${nth}`, 1, promise)).flat();
  await wait(10);
  resolve();
  const became = await Promise.all(all);
  assert.ok(became.slice(0, 100).every((each) => each === 'done'));
  assert.equal(became.at(-1), 503);
});
