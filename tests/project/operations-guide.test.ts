/** docs/operations.md says what is so. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { createDatabase } from '#app/db/client.ts';
import { DELETION_DAYS } from '#app/domain/accounts/limits.ts';
import { ACCOUNT_MAIL_RETENTION_DAYS, MAIL_RETENTION_DAYS } from '#app/domain/email/limits.ts';
import { DEAD_JOB_RETENTION_DAYS } from '#app/domain/operations/limits.ts';
import { TICKET_RETENTION_DAYS } from '#app/domain/support/limits.ts';
import { CLICK_DAYS, VISIT_ADDRESS_DAYS, VISIT_DAYS } from '#app/domain/visits/limits.ts';
import { DELIVERY_DAYS } from '#app/domain/webhooks/limits.ts';
import { USAGE_KEPT_DAYS } from '#app/domain/writing/limits.ts';
import { SHARES } from '#worker/lanes.ts';
import { textOf } from './architecture-imports.ts';

const guide = textOf('docs/operations.md');

test('every alarm has what to do', () => {
  const { groups }: { groups: { rules: { alert: string }[] }[] } = parse(textOf('docs/alerts.yml'));
  const alarms = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  const told = [...guide.matchAll(/^### (\w+)\n\S/gm)].map(([, name]) => name);
  assert.deepEqual(told, alarms);
});

test('every command that is named is there', () => {
  const { scripts } = JSON.parse(textOf('package.json'));
  const named = [...guide.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!);
  assert.ok(named.length > 5);
  assert.deepEqual(
    named.filter((name) => !(name in scripts)),
    [],
  );
});

test('what is kept is kept for as long as is said', () => {
  const rows: [string, number][] = [
    ['addresses of visitors', VISIT_ADDRESS_DAYS],
    ['clicks on links in mails', CLICK_DAYS],
    ['that somebody without an account was mailed', MAIL_RETENTION_DAYS],
    ['that an account was mailed', ACCOUNT_MAIL_RETENTION_DAYS],
    ['what a single user asked of the writer', USAGE_KEPT_DAYS],
    ['jobs that failed for good', DEAD_JOB_RETENTION_DAYS],
    ['deliveries to webhooks', DELIVERY_DAYS],
    ['requests to support of people without an account', TICKET_RETENTION_DAYS],
    ['an account after its owner left', DELETION_DAYS],
  ];
  for (const [what, days] of rows) assert.match(guide, new RegExp(`^\\| ${what} \\| ${days} days`, 'm'));
  assert.ok(guide.includes(`the visit without it ${VISIT_DAYS}, then only sums`));
});

test('the connections of each lane are those it opens, and the sum is one', () => {
  for (const [lane, { queue, tasks }] of Object.entries(SHARES))
    assert.match(guide, new RegExp(`^\\| lane ${lane} \\| ${queue + tasks}: ${queue}\\b.* ${tasks}\\b`, 'm'));
  const budget = guide.slice(
    guide.indexOf('**The connection budget**'),
    guide.indexOf('| **`max_connections`**'),
  );
  const rows = [...budget.matchAll(/\| (\d+) \|$/gm)].map(([, count]) => Number(count));
  const sum = rows.reduce((total, count) => total + count, 0);
  assert.ok(rows.length > 5);
  assert.ok(guide.includes(`| **${sum}** at least`), `${sum}`);
});

test('the pooler is told to set what our connections ask for as they begin, and not to refuse them for it', async () => {
  const { db, pool } = createDatabase('postgres://127.0.0.1/none', 1);
  const asked = Object.entries(pool.options).filter(([name]) => name.endsWith('_timeout'));
  await db.destroy();
  assert.ok(asked.length > 1);
  const ini = textOf('docs/pgbouncer.ini');
  const query = asked.map(([name, value]) => `set ${name} = ${value}`).join('; ');
  assert.ok(ini.includes(`connect_query='${query}'`), query);
  assert.ok(ini.includes(`ignore_startup_parameters = ${asked.map(([name]) => name).join(',')}\n`));
});
