/** What compose.yaml hands to whom. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { ROLES } from '#scripts/database-roles.ts';
import { ROOT } from '#scripts/run.ts';

type Service = { environment?: Record<string, string | number> };
type Compose = { services: Record<string, Service>; configs: { roles: { content: string } } };

const { services, configs }: Compose = parse(readFileSync(path.join(ROOT, 'compose.yaml'), 'utf8'), {
  merge: true,
});
const passwordsIn = (text: string) => new Set(text.match(/POSTGRES(?:_\w+)?_PASSWORD/g));

/** The password of each role, by the name that .env has for it. */
const passwords = Object.values(ROLES).map((role) => {
  const [line = ''] = new RegExp(`^create role ${role} .*$`, 'm').exec(configs.roles.content) ?? [];
  return [...passwordsIn(line)][0];
});

test('no role of the database has the password of another one', () => {
  const all = ['POSTGRES_PASSWORD', ...passwords];
  assert.ok(!all.includes(undefined));
  assert.equal(new Set(all).size, 4);
});

for (const role of ['web', 'worker'] as const) {
  test(`the ${role} is handed its own password of the database, and none of .env`, () => {
    const environment = services[role]!.environment!;
    const own = passwords[Object.keys(ROLES).indexOf(role)]!;
    assert.deepEqual([...passwordsIn(Object.values(environment).join(' '))], [own]);
    for (const name of ['POSTGRES_PASSWORD', ...passwords]) assert.equal(environment[name!], '', name!);
  });
}
