import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { lookUpPlace, presentPlace } from '#app/domain/platform/geoip.ts';
import { ROOT } from '#scripts/run.ts';
import { oneNetwork } from '#tests/fixtures/mmdb.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'tidepost-places-'));
after(() => rmSync(folder, { recursive: true }));

const inWords = (address: string) => presentPlace(lookUpPlace(address));

/** What a process that was started with this file says of some addresses. */
function withFile(bytes: Buffer | undefined, addresses: string[]): string[] {
  const file = path.join(folder, 'own.mmdb');
  if (bytes) writeFileSync(file, bytes);
  else rmSync(file, { force: true });
  const program = `import { presentPlace, lookUpPlace } from '#app/domain/platform/geoip.ts';
    console.log(JSON.stringify(process.argv.slice(1).map((each) => presentPlace(lookUpPlace(each)))))`;
  const args = ['--input-type=module', '-e', program, '--', ...addresses];
  const env = { ...process.env, GEOIP_DB: file };
  return JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8' }));
}

test('the file that comes with the product knows the countries of networks old and new', () => {
  const known = {
    '88.198.0.0/24': 'Germany',
    '88.198.0.7': 'Germany',
    '::ffff:88.198.0.7': 'Germany',
    '193.0.6.0/24': 'Netherlands',
    '2001:67c:2e8::/48': 'Netherlands',
    '8.8.8.0/24': 'United States',
  };
  for (const [address, words] of Object.entries(known)) assert.equal(inWords(address), words, address);
});

test('what is nowhere has no place: networks at home, of examples, and what is no address', () => {
  const nowhere = [
    '127.0.0.0/24',
    '10.1.2.0/24',
    '192.168.1.0/24',
    '203.0.113.0/24',
    '169.254.0.0/24',
    '100.64.0.0/24',
    '::1',
    'fd00::/48',
    'fe80::1',
    '2001:db8::/48',
    '',
    'unknown',
    '999.1.1.1',
    '88.198.0.x',
  ];
  for (const address of nowhere) assert.equal(inWords(address), '', address);
});

test('a file of one’s own wins, with its cities, and says nothing that is none', () => {
  const names = { en: 'Berlin', de: 'Berlin' };
  const city = oneNetwork('88.198.0.0', { country: { iso_code: 'DE', names: { en: 'x' } }, city: { names } });
  const addresses = ['88.198.0.0/24', '193.0.6.0/24', '58c6::1', '2a01:4f8::/48'];
  assert.deepEqual(withFile(city, addresses), ['Berlin, Germany', '', '', '']);
  const bare = oneNetwork('88.198.0.0', { country_code: 'DE' });
  assert.deepEqual(withFile(bare, addresses), ['Germany', '', '', '']);
  const home = oneNetwork('10.1.2.0', { country_code: 'DE' });
  assert.deepEqual(withFile(home, ['10.1.2.0/24']), ['']);
  const odd = oneNetwork('88.198.0.0', { country: { iso_code: '<b>' }, city: 'Berlin' });
  assert.deepEqual(withFile(odd, ['88.198.0.0/24']), ['']);
});

test('without a file that can be read places are unknown, and nothing fails', () => {
  const whole = oneNetwork('88.198.0.0', { country_code: 'DE' });
  for (const bytes of [undefined, Buffer.alloc(0), Buffer.alloc(5_000, 1), whole.subarray(100)])
    assert.deepEqual(withFile(bytes, ['88.198.0.0/24', '10.0.0.1']), ['', '']);
});
