import { readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Db } from '#app/db/client.ts';
import { forEachSettled } from '#app/domain/platform/for-each-settled.ts';
import { microBatch } from '#app/domain/platform/micro-batch.ts';
import { clearFaults, reportFault } from '#app/domain/platform/operator-alerts.ts';
import { ownerOfPost } from '#app/domain/posts/rows.ts';
import { databaseSeen, whichDatabase } from '#app/domain/publishing/safety/epoch.ts';
import type { Sent } from '#app/domain/publishing/send/attempt.ts';
import { stopping } from '#app/domain/publishing/send/shutdown-signal.ts';
import { env } from '#app/env.ts';
import type { PostOutcome } from '#app/integrations/linkedin/posts.ts';
import { readWhole, writeWhole } from './durable-file.ts';
import { settle } from './settle.ts';
import { settleBatch } from './settle-batch.ts';

/** What LinkedIn has answered to an attempt. */
type AttemptResponse = { publication: Sent; outcome: PostOutcome };

const sent = z.object({
  id: z.uuid(),
  postId: z.uuid(),
  userId: z.uuid(),
  confirmsId: z.uuid().nullable(),
  authorUrn: z.string(),
  body: z.string(),
  imageUrn: z.string().nullable(),
  altText: z.string().nullable(),
  visibility: z.enum(['PUBLIC', 'CONNECTIONS']),
  startedAt: z.iso.datetime().transform((text) => new Date(text)),
  tokenSealed: z.string().optional(),
}) satisfies z.ZodType<Sent>;

const urn = z.string().nullable();
const code = z.string().nullable();
const message = z.string();
const status = z.int();
const word = z.string().optional();
const trace = z
  .object({ liUuid: word, liRequestId: word, liFabric: word, liPop: word, liError: word })
  .optional();

type Kinds = { [Kind in PostOutcome['kind']]: z.ZodType<Extract<PostOutcome, { kind: Kind }>> };

const KINDS = {
  published: z.object({ kind: z.literal('published'), urn, status, trace }),
  duplicate: z.object({ kind: z.literal('duplicate'), urn, status, trace }),
  media_waiting: z.object({ kind: z.literal('media_waiting'), isUploadEnded: z.boolean(), status, trace }),
  refused: z.object({ kind: z.literal('refused'), code, message, status, trace }),
  unauthorized: z.object({ kind: z.literal('unauthorized'), code, status, trace }),
  version: z.object({ kind: z.literal('version'), status, trace }),
  throttled: z.object({
    kind: z.literal('throttled'),
    scope: z.enum(['short', 'member_day', 'app_day']),
    retryAfterSeconds: z.number().nullable(),
    status,
    trace,
  }),
  not_sent: z.object({ kind: z.literal('not_sent'), message, isOurs: z.literal(true).optional(), trace }),
  unknown: z.object({ kind: z.literal('unknown'), message, status: status.nullable(), trace }),
} satisfies Kinds;

/** An answer as it lies on the disk; `database` is the one that the attempt was written to. */
export const SpooledResponse = z.object({
  publication: sent,
  outcome: z.union(Object.values(KINDS)),
  database: z.string().optional(),
});

const AGAIN_MS = { least: 250, most: 5_000 };
const SILENT_AFTER_MS = 2_000;

const folder = () => path.join(env().DATA_DIR, 'answers');
const fileOf = (publicationId: string) => path.join(folder(), `${publicationId}.json`);

/** On the disk for certain when it answers true, and never half of it. False where there is no disk to write to. */
function writeDown(publication: Sent, outcome: PostOutcome): boolean {
  try {
    writeWhole(fileOf(publication.id), { publication, outcome, database: databaseSeen() });
    return true;
  } catch {
    return false;
  }
}

/**
 * Writes what the network has answered, again and again for as long as the process lives: an answer that has
 * come is never thrown away. One that cannot be written at once is kept in a file beside, which a later
 * process reads when this one ends before. Answers that come at one time are written together.
 */
export const spoolResponse = (db: Db, publication: Sent, outcome: PostOutcome): Promise<void> =>
  settleInBatch(db, { publication, outcome });

const settleInBatch = microBatch(async (db, answers: AttemptResponse[]) => {
  const files = answers.map(fileBeside);
  const kept = await settleWatched(db, answers, files);
  return answers.map(async (answer, nth) => {
    const file = files[nth]!;
    if (kept.has(answer.publication.id)) file.remove();
    else await settleAlone(db, answer, file);
  });
});

/** Those that could be written together; what could not is tried again each by itself. */
async function settleWatched(db: Db, answers: AttemptResponse[], files: FileBeside[]): Promise<Set<string>> {
  // A database that says nothing at all ends no statement.
  const silence = setTimeout(() => files.forEach((file) => void file.write()), SILENT_AFTER_MS);
  try {
    return await settleBatch(db, answers);
  } catch {
    return new Set();
  } finally {
    clearTimeout(silence);
  }
}

async function settleAlone(
  db: Db,
  { publication, outcome }: AttemptResponse,
  file: FileBeside,
): Promise<void> {
  for (let pause = AGAIN_MS.least; ; pause = Math.min(2 * pause, AGAIN_MS.most)) {
    const silence = setTimeout(file.write, SILENT_AFTER_MS);
    try {
      await settle(db, publication, outcome);
      break;
    } catch (error) {
      file.write();
      if (stopping.aborted) throw error;
      await wait(pause, undefined, { signal: stopping }).catch(() => {});
    } finally {
      clearTimeout(silence);
    }
  }
  file.remove();
}

type FileBeside = { write(): void; remove(): void };

/** The file of an answer, written once at most, as soon as that can be done. */
function fileBeside({ publication, outcome }: AttemptResponse): FileBeside {
  let isWritten = false;
  return {
    write() {
      isWritten ||= writeDown(publication, outcome);
    },
    remove() {
      if (isWritten) rmSync(fileOf(publication.id), { force: true });
    },
  };
}

/**
 * Writes the answers that a process before this one could not write. What is not for this database, or makes
 * no sense to this version, stays, and the operator is told.
 */
export async function settleAnswers(db: Db): Promise<void> {
  const names = namesInFolder();
  const here = await whichDatabase(db);
  const left: string[] = [];
  await forEachSettled(names, async (name) => {
    const file = path.join(folder(), name);
    const answer = readWhole(file, SpooledResponse);
    if (answer === undefined) return;
    const objection = answer === 'unreadable' ? UNREADABLE : await objectionTo(db, answer, here.name);
    if (answer === 'unreadable' || objection) return void left.push(`${file} (${objection})`);
    await settle(db, answer.publication, answer.outcome).catch((error) => {
      left.push(`${file} (cannot be written)`);
      throw error;
    });
    // A database that nobody has released may be a copy: the file is for the one it was made of as well.
    if (here.isReleased) rmSync(file, { force: true });
  }).finally(() => reportLeft(db, left));
}

function namesInFolder(): string[] {
  try {
    return readdirSync(folder()).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

const UNREADABLE = 'cannot be read';

/**
 * Why an answer is not for this database. Ids of posts are random: one that is here is the one that was sent,
 * also where the database was restored or released since. One that is not here may be another database's.
 */
async function objectionTo(
  db: Db,
  { publication, database }: z.output<typeof SpooledResponse>,
  here: string,
): Promise<string | undefined> {
  const owner = await ownerOfPost(db, publication.postId);
  if (owner) return owner === publication.userId ? undefined : UNREADABLE;
  return database === here ? undefined : 'of another database, or of one before it was restored';
}

async function reportLeft(db: Db, files: string[]): Promise<void> {
  const key = `answers-${hostname()}`;
  if (files.length === 0) return clearFaults(db, key);
  const message = `What LinkedIn answered is left on ${hostname()} in ${files.join(', ')}. A worker there tries again each minute; look into what it leaves, then remove it.`;
  await reportFault(db, key, message);
}
