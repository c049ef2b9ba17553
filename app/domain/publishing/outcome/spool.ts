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
import { lastSeenDatabase, readDatabaseName } from '#app/domain/publishing/safety/epoch.ts';
import type { SentAttempt } from '#app/domain/publishing/send/attempt.ts';
import { stopping } from '#app/domain/publishing/send/shutdown-signal.ts';
import { lockScheduled, markBatchPublished } from '#app/domain/publishing/state/post-state.ts';
import { env } from '#app/env.ts';
import type { PostOutcome } from '#app/integrations/linkedin/posts.ts';
import { readDurableFile, writeDurableFile } from './durable-file.ts';
import { settle } from './settle.ts';

type AttemptResponse = { attempt: SentAttempt; outcome: PostOutcome };

const SentAttemptJson = z.object({
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
}) satisfies z.ZodType<SentAttempt>;

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

/** A response in a file of the spool; `database` is the name of the database that has the attempt. */
export const SpooledResponse = z.object({
  attempt: SentAttemptJson,
  outcome: z.union(Object.values(KINDS)),
  database: z.string().optional(),
});

const RETRY_MS = { min: 250, max: 5_000 };
const SPOOL_AFTER_MS = 2_000;

const folder = () => path.join(env().DATA_DIR, 'answers');
const fileOf = (attemptId: string) => path.join(folder(), `${attemptId}.json`);

/** Returns true when the whole response is on the disk, and false when it cannot be written. */
function writeToSpool(attempt: SentAttempt, outcome: PostOutcome): boolean {
  try {
    writeDurableFile(fileOf(attempt.id), { attempt, outcome, database: lastSeenDatabase() });
    return true;
  } catch {
    return false;
  }
}

/**
 * Writes a response of LinkedIn to the database, with retries for as long as the process lives, so that no response is
 * lost. A response that cannot be written immediately is also stored in a file, which `settleSpooled` reads if this
 * process ends. Concurrent responses are written in one transaction.
 */
export const spoolResponse = (db: Db, attempt: SentAttempt, outcome: PostOutcome): Promise<void> =>
  settleInBatch(db, { attempt, outcome });

const settleInBatch = microBatch(async (db, responses: AttemptResponse[]) => {
  const files = responses.map(spoolFileFor);
  const settledIds = await settleBatchWithSpool(db, responses, files);
  return responses.map(async (response, index) => {
    const file = files[index]!;
    if (settledIds.has(response.attempt.id)) file.remove();
    else await settleWithRetries(db, response, file);
  });
});

/** Returns the ids of the attempts that the batch settled; the others are settled one by one. */
async function settleBatchWithSpool(
  db: Db,
  responses: AttemptResponse[],
  files: SpoolFile[],
): Promise<Set<string>> {
  // A statement never ends when the database does not respond at all.
  const timer = setTimeout(() => files.forEach((file) => void file.write()), SPOOL_AFTER_MS);
  try {
    return await settleBatch(db, responses);
  } catch {
    return new Set();
  } finally {
    clearTimeout(timer);
  }
}

async function settleWithRetries(
  db: Db,
  { attempt, outcome }: AttemptResponse,
  file: SpoolFile,
): Promise<void> {
  for (let pause = RETRY_MS.min; ; pause = Math.min(2 * pause, RETRY_MS.max)) {
    const timer = setTimeout(file.write, SPOOL_AFTER_MS);
    try {
      await settle(db, attempt, outcome);
      break;
    } catch (error) {
      file.write();
      if (stopping.aborted) throw error;
      await wait(pause, undefined, { signal: stopping }).catch(() => {});
    } finally {
      clearTimeout(timer);
    }
  }
  file.remove();
}

type SpoolFile = { write(): void; remove(): void };

/** Returns the file of a response. A write is repeated until it succeeds once. */
function spoolFileFor({ attempt, outcome }: AttemptResponse): SpoolFile {
  let isWritten = false;
  return {
    write() {
      isWritten ||= writeToSpool(attempt, outcome);
    },
    remove() {
      if (isWritten) rmSync(fileOf(attempt.id), { force: true });
    },
  };
}

/**
 * Settles the responses that an earlier process left in the spool. Files of another database, or that this version
 * cannot read, stay and are reported to the operator.
 */
export async function settleSpooled(db: Db): Promise<void> {
  const names = listSpoolFiles();
  const database = await readDatabaseName(db);
  const unsettled: string[] = [];
  await forEachSettled(names, async (name) => {
    const file = path.join(folder(), name);
    const response = readDurableFile(file, SpooledResponse);
    if (response === undefined) return;
    const reason = response === 'unreadable' ? UNREADABLE : await whyNotSettled(db, response, database.name);
    if (response === 'unreadable' || reason) return void unsettled.push(`${file} (${reason})`);
    await settle(db, response.attempt, response.outcome).catch((error) => {
      unsettled.push(`${file} (cannot be written)`);
      throw error;
    });
    // A database that is not released may be a copy: then the original needs the file as well.
    if (database.isReleased) rmSync(file, { force: true });
  }).finally(() => reportUnsettled(db, unsettled));
}

function listSpoolFiles(): string[] {
  try {
    return readdirSync(folder()).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

const UNREADABLE = 'cannot be read';

/**
 * Returns why a response is not for this database, or undefined. Ids of posts are random: a post with this id is the one
 * that was sent, also after a restore or release. Without it, the response may be for another database.
 */
async function whyNotSettled(
  db: Db,
  { attempt, database }: z.output<typeof SpooledResponse>,
  currentDatabase: string,
): Promise<string | undefined> {
  const owner = await ownerOfPost(db, attempt.postId);
  if (owner) return owner === attempt.userId ? undefined : UNREADABLE;
  return database === currentDatabase ? undefined : 'of another database, or of one before it was restored';
}

async function reportUnsettled(db: Db, files: string[]): Promise<void> {
  const key = `answers-${hostname()}`;
  if (files.length === 0) return clearFaults(db, key);
  const message = `What LinkedIn answered is left on ${hostname()} in ${files.join(', ')}. A worker there tries again each minute; look into what it leaves, then remove it.`;
  await reportFault(db, key, message);
}

type PublishedResponse = { attempt: SentAttempt; outcome: Extract<PostOutcome, { kind: 'published' }> };

/**
 * Settles, with a few statements, the most frequent case: LinkedIn accepted the post, and its state has not changed
 * meanwhile. Returns the ids of those attempts; all others are for `settle`. Throws, and changes nothing, when another
 * post of the user has one of the urns.
 */
export async function settleBatch(db: Db, responses: AttemptResponse[]): Promise<Set<string>> {
  const published = responses.flatMap(({ attempt, outcome }): PublishedResponse[] =>
    outcome.kind === 'published' && !attempt.confirmsId ? [{ attempt, outcome }] : [],
  );
  if (published.length === 0) return new Set();
  return transact(db, async (trx) => {
    const postIds = published.map(({ attempt }) => attempt.postId);
    const scheduled = await lockScheduled(trx, postIds);
    const now = await databaseTime(trx);
    const unchanged = published.filter(({ attempt }) => scheduled.has(attempt.postId));
    const closedIds = await closeBatch(trx, unchanged, now);
    const closed = unchanged.filter(({ attempt }) => closedIds.has(attempt.id));
    for (const { attempt } of closed) {
      const { id: attemptId, postId, userId } = attempt;
      emitEvent('publish_outcome', { userId, postId, attemptId, state: 'published' }, trx);
    }
    if (closed.length === 0) return closedIds;
    await markBatchPublished(
      trx,
      closed.map(({ attempt: { postId, startedAt }, outcome: { urn } }) => ({ postId, urn, at: startedAt })),
    );
    return closedIds;
  });
}

/**
 * Closes those attempts that are still unsettled and returns their ids. "is true" makes the planner find them by id
 * instead of reading all open attempts.
 */
async function closeBatch(trx: Trx, responses: PublishedResponse[], now: Date): Promise<Set<string>> {
  if (responses.length === 0) return new Set();
  const rows = responses.map(({ attempt: { id }, outcome: { urn, status, trace } }) => ({
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
    update publish_attempts set state = 'published', explanation = null, http_status = input.status,
      network_urn = input.urn, finished_at = ${now}, resolved_at = ${now}, li_uuid = input.li_uuid,
      li_request_id = input.li_request_id, li_fabric = input.li_fabric, li_pop = input.li_pop,
      li_error = input.li_error
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as input (id uuid, urn text, status integer,
      li_uuid text, li_request_id text, li_fabric text, li_pop text, li_error text)
    where publish_attempts.id = input.id
      and (publish_attempts.state = 'sending' and publish_attempts.resolved_at is null) is true
    returning publish_attempts.id`.execute(trx);
  return new Set(closed.rows.map(({ id }) => id));
}
