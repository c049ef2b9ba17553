import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { serverAccount } from '#scripts/postgres/files.ts';
import { freePort } from '#scripts/start/ports.ts';
import { textOf } from '#tests/project/architecture-imports.ts';
import { poolerFor } from './pooler.ts';
import { until } from './until.ts';

/** The first that hands prepared statements on in transaction mode. */
const LEAST = [1, 21] as const;

/** The version of the PgBouncer that this machine has, when it has one. */
function versionHere(): [number, number] | undefined {
  const { stdout } = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' });
  const found = /^PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '');
  return found ? [Number(found[1]), Number(found[2])] : undefined;
}

/** docs/pgbouncer.ini with some of its values replaced. */
function configured(values: Record<string, string | number>): string {
  return Object.entries(values).reduce((text, [name, value]) => {
    const line = new RegExp(`^${name} = .*$`, 'm');
    if (!line.test(text)) throw new Error(`docs/pgbouncer.ini has no ${name}`);
    return text.replace(line, `${name} = ${value}`);
  }, textOf('docs/pgbouncer.ini'));
}

async function startPgbouncer(database: string, size: number): Promise<string> {
  const { hostname, port, pathname, username, password } = new URL(database);
  const name = pathname.slice(1);
  const folder = mkdtempSync(path.join(tmpdir(), 'tidepost-pgbouncer-'));
  chmodSync(folder, 0o755);
  const [config, users] = ['pgbouncer.ini', 'userlist.txt'].map((file) => path.join(folder, file));
  const listen = await freePort();
  const text = configured({ listen_port: listen, auth_file: users!, default_pool_size: size });
  writeFileSync(
    config!,
    text.replace('tidepost = host=127.0.0.1 port=5432', `${name} = host=${hostname} port=${port}`),
  );
  writeFileSync(users!, `"${username}" "${password}"\n`);
  // As root it does not run.
  const child = spawn('pgbouncer', [config!], { ...serverAccount(), stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  after(async () => {
    // Asked in a friendlier way it waits for its clients.
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });
  await until('PgBouncer is up', () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start:\n${said}`);
    return said.includes('process up');
  });
  const url = new URL(database);
  url.port = `${listen}`;
  return url.href;
}

/**
 * A pooler in transaction mode before the database, with so many connections to it: PgBouncer as it is to be set up, where
 * the machine has one that is new enough, and the tests' own elsewhere. `name` says which.
 */
export async function poolerBefore(database: string, size: number): Promise<{ url: string; name: string }> {
  const version = versionHere();
  const isNewEnough =
    version && (version[0] > LEAST[0] || (version[0] === LEAST[0] && version[1] >= LEAST[1]));
  if (isNewEnough)
    return { url: await startPgbouncer(database, size), name: `PgBouncer ${version.join('.')}` };
  const { url } = await poolerFor(database, size);
  const why = version
    ? `PgBouncer ${version.join('.')} is older than ${LEAST.join('.')}`
    : 'no PgBouncer here';
  return { url, name: `the tests' own pooler (${why})` };
}
