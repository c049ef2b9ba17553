/**
 * While a deploy replaces one machine after the other, the previous release runs on the schema of this one. This test
 * checks out that release and runs its own tests on the new schema. After the baseline, migrations are added and
 * never changed.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { ROOT } from '#scripts/run.ts';

/**
 * What writes to most tables, by the domain, by pages and calls, and by a worker that is killed: each by its name, and by
 * the one that it has in older releases.
 */
const FILES = [
  ['accounts/sign-up/sign-ups.domain', 'domain/accounts-sign-ups'],
  ['account-deletion/deletion.domain', 'domain/leaving'],
  ['payments/checkout/purchase.domain', 'domain/payments-purchase'],
  ['payments/subscription/upgrade.domain', 'domain/payments-upgrade'],
  ['payments/subscription/extend.domain', 'domain/payments-extend'],
  ['publishing/send/publish.domain', 'domain/publishing'],
  ['publishing/slots/missed-posts.domain', 'domain/hold-and-resume'],
  ['writing/runs/write-run.domain', 'domain/writing'],
  ['support/tickets.domain', 'domain/support'],
  ['feedback/board.domain', 'domain/feedback'],
  ['visits/analytics.domain', 'domain/visits'],
  ['topics/pauses.domain', 'domain/topic-pauses'],
  ['payments/api.http', 'http/payments-api'],
  ['admin/operations.http', 'http/admin-operations'],
  ['topics/form.http', 'http/topic-form'],
  ['publishing/send/kill.worker', 'worker/kill'],
];

/** Those test files that a checked-out commit has, by the names that they have there. */
const filesIn = (folder: string, files = FILES): string[] =>
  files
    .map((names) => names.map((name) => `tests/${name}.test.ts`))
    .map((names) => names.find((file) => existsSync(path.join(folder, file))))
    .filter((file) => file !== undefined);

/** What was committed in so many hours belongs to this release. */
const HOURS = 12;

const git = (...words: string[]) => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim();

/** A commit without this file is from before the first release and need not work. */
const FIRST_RELEASE = 'migrations/0001-platform.sql';

/** The newest commit before this release since the first release that differs in its migrations, or undefined. */
function releaseBefore(): string | undefined {
  const now = git('rev-parse', 'HEAD:migrations');
  const until = Number(git('log', '-1', '--format=%ct')) - HOURS * 3600;
  const commits = git('log', '--format=%H', `--before=${until}`).split('\n').filter(Boolean);
  return commits.find(
    (commit) =>
      git('ls-tree', '--name-only', commit, FIRST_RELEASE) &&
      git('rev-parse', `${commit}:migrations`) !== now,
  );
}

/** The names of its packages. Their versions are those of this tree, whose packages it runs with. */
const packagesOf = (folder: string) =>
  Object.keys(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).dependencies);

const RIGHTS = 'scripts/rights.ts';

/** The tree of a commit with the migrations, the rights and the packages of this one. */
function checkOut(commit: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tidepost-before-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const archive = path.join(folder, 'tree.tar');
  writeFileSync(archive, execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 30 }));
  execFileSync('tar', ['-xf', archive], { cwd: folder });
  rmSync(archive);
  cpSync(path.join(ROOT, 'migrations'), path.join(folder, 'migrations'), { recursive: true });
  cpSync(path.join(ROOT, RIGHTS), path.join(folder, RIGHTS));
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

/** Runs test files of a checked-out commit with its own code. */
function runTests(folder: string, files: string[]): { isOk: boolean; output: string } {
  const {
    TEST_DATABASE_URL: _ours,
    NODE_TEST_CONTEXT: _context,
    NODE_COMPILE_CACHE: _cache,
    ...env
  } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/test.ts', ...files], {
    cwd: folder,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return { isOk: status === 0, output: stdout + stderr };
}

test('the previous release passes its own tests on the schema of this one', (t) => {
  const commit = releaseBefore();
  if (!commit) return t.skip('no release had other migrations: there is nothing to compare');
  const changed = git(
    'diff',
    '--name-status',
    '--no-renames',
    '--diff-filter=MD',
    commit,
    '--',
    'migrations',
  );
  assert.equal(changed, '', 'migrations of a release are not changed');
  const folder = checkOut(commit);
  const missing = packagesOf(folder).filter((name) => !packagesOf(ROOT).includes(name));
  assert.deepEqual(missing, [], 'this tree has the packages that it needs');
  const files = filesIn(folder);
  assert.ok(files.length > 0, 'it has tests that are known by name');
  const { isOk, output } = runTests(folder, files);
  assert.ok(isOk, output.slice(-6_000));
  t.diagnostic(`${commit.slice(0, 7)}: ${/\d+ passed, 0 failed/.exec(output)![0]}`);
});

test('a commit passes on a schema with one more column, and fails on one without a column that it uses', () => {
  const folder = checkOut('HEAD');
  const later = path.join(folder, 'migrations/9999-later.sql');
  const files = filesIn(folder, [['topics/pauses.domain', 'domain/topic-pauses']]);
  assert.equal(files.length, 1);
  writeFileSync(later, 'alter table topics add column later text;');
  const wider = runTests(folder, files);
  assert.ok(wider.isOk, wider.output.slice(-6_000));
  writeFileSync(later, 'alter table topics drop column last_turn_at;');
  const narrower = runTests(folder, files);
  assert.equal(narrower.isOk, false);
  assert.match(narrower.output, /column .*last_turn_at.* does not exist/);
});
