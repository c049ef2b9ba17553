import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isRunning, OWNER } from './server.ts';

const MEMORY = '/dev/shm';
const PREFIX = 'tidepost-test-';
/** Several times what a whole run takes. */
const LEAST_FREE_BYTES = 4 * 2 ** 30;

/**
 * A folder for a cluster that goes with its run. In memory where that has room: a run makes and drops some
 * hundred databases of a thousand files each, which costs a disk more than all that is done with them.
 */
export function throwAwayFolder(): string {
  if (process.env.TMPDIR || !hasRoom(MEMORY)) return mkdtempSync(path.join(tmpdir(), PREFIX));
  removeLeftovers(MEMORY);
  return mkdtempSync(path.join(MEMORY, PREFIX));
}

function hasRoom(folder: string): boolean {
  if (process.platform !== 'linux' || !existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= LEAST_FREE_BYTES;
}

/** Removes our clusters whose launcher was killed: in memory nobody else would clean up. */
export function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder).filter((entry) => entry.startsWith(PREFIX))) {
    const home = path.join(folder, name);
    const owner = path.join(home, OWNER);
    if (!existsSync(owner) || statSync(owner).uid !== process.getuid?.()) continue;
    if (!isRunning(Number(readFileSync(owner, 'utf8')))) rmSync(home, { recursive: true, force: true });
  }
}
