import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '#app/db/client.ts';
import { eachAlone } from '#app/domain/each-alone.ts';
import { env } from '#app/env.ts';
import type { PostOutcome } from '#app/integrations/linkedin-posts.ts';
import type { Sent } from './attempt.ts';
import { settle } from './settle.ts';

const AGAIN_MS = { least: 250, most: 5_000 };

const stopping = new AbortController();

const folder = () => path.join(env().DATA_DIR, 'answers');
const fileOf = (publicationId: string) => path.join(folder(), `${publicationId}.json`);

/** On the disk for certain when it answers true, and never half of it. False where there is no disk to write to. */
function writeDown(publication: Sent, outcome: PostOutcome): boolean {
  try {
    writeFile(publication, outcome);
    return true;
  } catch {
    return false;
  }
}

function writeFile(publication: Sent, outcome: PostOutcome): void {
  mkdirSync(folder(), { recursive: true, mode: 0o700 });
  const file = fileOf(publication.id);
  const handle = openSync(`${file}.part`, 'w', 0o600);
  try {
    writeSync(handle, JSON.stringify({ publication, outcome }));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(`${file}.part`, file);
}

function read(name: string): { publication: Sent; outcome: PostOutcome } {
  const { publication, outcome } = JSON.parse(readFileSync(path.join(folder(), name), 'utf8'));
  return { publication: { ...publication, startedAt: new Date(publication.startedAt) }, outcome };
}

/**
 * Writes what the network has answered, again and again for as long as the process lives: an answer that has
 * come is never thrown away. One that cannot be written at once is kept in a file beside, which a later
 * process reads when this one ends before.
 */
export async function keepAnswer(db: Db, publication: Sent, outcome: PostOutcome): Promise<void> {
  let isWrittenDown = false;
  for (let pause = AGAIN_MS.least; ; pause = Math.min(2 * pause, AGAIN_MS.most)) {
    try {
      await settle(db, publication, outcome);
      break;
    } catch (error) {
      isWrittenDown ||= writeDown(publication, outcome);
      if (stopping.signal.aborted) throw error;
      await wait(pause, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
  if (isWrittenDown) rmSync(fileOf(publication.id), { force: true });
}

/** The process is to end: answers that wait for the database are left to the file. */
export const leaveAnswers = () => stopping.abort();

/** Writes the answers that a process before this one could not write. */
export async function settleAnswers(db: Db): Promise<void> {
  let names: string[];
  try {
    names = readdirSync(folder()).filter((name) => name.endsWith('.json'));
  } catch {
    return;
  }
  await eachAlone(names, async (name) => {
    const { publication, outcome } = read(name);
    await settle(db, publication, outcome);
    rmSync(path.join(folder(), name), { force: true });
  });
}
