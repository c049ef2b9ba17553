import { readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { forEachSettled } from '#app/domain/platform/for-each-settled.ts';
import { microBatch } from '#app/domain/platform/micro-batch.ts';
import { clearFaults, reportFault } from '#app/domain/platform/operator-alerts.ts';
import { ownerOfPost } from '#app/domain/posts/rows.ts';
import { databaseSeen, whichDatabase } from '#app/domain/publishing/safety/epoch.ts';
import type { Sent } from '#app/domain/publishing/send/attempt.ts';
import { stopping } from '#app/domain/publishing/send/shutdown-signal.ts';
import { lockScheduled, markBatchPublished } from '#app/domain/publishing/state/post-state.ts';
import { env } from '#app/env.ts';
import type { PostOutcome } from '#app/integrations/linkedin/posts.ts';
import { readWhole, writeWhole } from './durable-file.ts';
import { settle } from './settle.ts';

/** What LinkedIn has answered to an attempt. */
type AttemptResponse = { attempt: Sent; outcome: PostOutcome };

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
  attempt: sent,
  outcome: z.union(Object.values(KINDS)),
  database: z.string().optional(),
});

const AGAIN_MS = { least: 250, most: 5_000 };
const SILENT_AFTER_MS = 2_000;

const folder = () => path.join(env().DATA_DIR, 'answers');
const fileOf = (attemptId: string) => path.join(folder(), `${attemptId}.json`);

/** On the disk for certain when it answers true, and never half of it. False where there is no disk to write to. */
function writeDown(attempt: Sent, outcome: PostOutcome): boolean {
  try {
    writeWhole(fileOf(attempt.id), { attempt, outcome, database: databaseSeen() });
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
export const spoolResponse = (db: Db, attempt: Sent, outcome: PostOutcome): Promise<void> =>
  settleInBatch(db, { attempt, outcome });

const settleInBatch = microBatch(async (db, answers: AttemptResponse[]) => {
  const files = answers.map(fileBeside);
  const kept = await settleWatched(db, answers, files);
  return answers.map(async (answer, nth) => {
    const file = files[nth]!;
    if (kept.has(answer.attempt.id)) file.remove();
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

async function settleAlone(db: Db, { attempt, outcome }: AttemptResponse, file: FileBeside): Promise<void> {
  for (let pause = AGAIN_MS.least; ; pause = Math.min(2 * pause, AGAIN_MS.most)) {
    const silence = setTimeout(file.write, SILENT_AFTER_MS);
    try {
      await settle(db, attempt, outcome);
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
function fileBeside({ attempt, outcome }: AttemptResponse): FileBeside {
  let isWritten = false;
  return {
    write() {
      isWritten ||= writeDown(attempt, outcome);
    },
    remove() {
      if (isWritten) rmSync(fileOf(attempt.id), { force: true });
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
    await settle(db, answer.attempt, answer.outcome).catch((error) => {
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
  { attempt, database }: z.output<typeof SpooledResponse>,
  here: string,
): Promise<string | undefined> {
  const owner = await ownerOfPost(db, attempt.postId);
  if (owner) return owner === attempt.userId ? undefined : UNREADABLE;
  return database === here ? undefined : 'of another database, or of one before it was restored';
}

async function reportLeft(db: Db, files: string[]): Promise<void> {
  const key = `answers-${hostname()}`;
  if (files.length === 0) return clearFaults(db, key);
  const message = `What LinkedIn answered is left on ${hostname()} in ${files.join(', ')}. A worker there tries again each minute; look into what it leaves, then remove it.`;
  await reportFault(db, key, message);
}

type BatchedResponse = { attempt: Sent; outcome: PostOutcome };
type Taken = { attempt: Sent; outcome: Extract<PostOutcome, { kind: 'published' }> };

/**
 * Writes with a few statements what most answers say: LinkedIn took the post, and nothing else has happened to
 * it meanwhile. Answers the ids of those attempts; every other answer is for `settle`. All or nothing: it
 * throws when one of the posts can't have its address.
 */
export async function settleBatch(db: Db, answers: BatchedResponse[]): Promise<Set<string>> {
  const taken = answers.flatMap(({ attempt, outcome }): Taken[] =>
    outcome.kind === 'published' && !attempt.confirmsId ? [{ attempt, outcome }] : [],
  );
  if (taken.length === 0) return new Set();
  return transact(db, async (trx) => {
    const scheduled = await lockScheduled(
      trx,
      taken.map(({ attempt }) => attempt.postId),
    );
    const now = await databaseTime(trx);
    const plain = taken.filter(({ attempt }) => scheduled.has(attempt.postId));
    const closed = await closeBatch(trx, plain, now);
    const out = plain.filter(({ attempt }) => closed.has(attempt.id));
    for (const { attempt } of out) {
      const { id: attemptId, postId, userId } = attempt;
      emitEvent('publish_outcome', { userId, postId, attemptId, state: 'published' }, trx);
    }
    if (out.length === 0) return closed;
    await markBatchPublished(
      trx,
      out.map(({ attempt: { postId, startedAt }, outcome: { urn } }) => ({ postId, urn, at: startedAt })),
    );
    return closed;
  });
}

/**
 * The attempts that nobody has settled or given up on meanwhile. "is true" has them found by their id, and not by
 * reading all that are open.
 */
async function closeBatch(trx: Trx, taken: Taken[], now: Date): Promise<Set<string>> {
  if (taken.length === 0) return new Set();
  const rows = taken.map(({ attempt: { id }, outcome: { urn, status, trace } }) => ({
    id,
    urn,
    status,
    li_uuid: trace?.liUuid,
    li_request_id: trace?.liRequestId,
    li_fabric: trace?.liFabric,
    li_pop: trace?.liPop,
    li_error: trace?.liError,
  }));
  const closed = await sql<{ id: string }>`
    update publish_attempts set state = 'published', explanation = null, http_status = given.status,
      network_urn = given.urn, finished_at = ${now}, resolved_at = ${now}, li_uuid = given.li_uuid,
      li_request_id = given.li_request_id, li_fabric = given.li_fabric, li_pop = given.li_pop,
      li_error = given.li_error
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id uuid, urn text, status integer,
      li_uuid text, li_request_id text, li_fabric text, li_pop text, li_error text)
    where publish_attempts.id = given.id
      and (publish_attempts.state = 'sending' and publish_attempts.resolved_at is null) is true
    returning publish_attempts.id`.execute(trx);
  return new Set(closed.rows.map(({ id }) => id));
}
