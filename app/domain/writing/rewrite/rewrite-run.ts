import { type Db, type Trx, transact } from '#app/db/client.ts';
import { retryWhenAvailable } from '#app/db/retry-when-available.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { findText } from '#app/domain/posts/rows.ts';
import { applyRewrite, type RewriteOutcome } from '#app/domain/publishing/edit/rewrite.ts';
import type { WritingTopic } from '#app/domain/topics/topics.ts';
import { findWritingTopic } from '#app/domain/topics/turns.ts';
import {
  findBrief,
  type GeneratedPost,
  replaceBrief,
  toStoredBrief,
} from '#app/domain/writing/generate/brief-store.ts';
import { loadContext } from '#app/domain/writing/generate/context.ts';
import { type GenerateResult, generatePost, noUsage } from '#app/domain/writing/generate/generate.ts';
import { readyOrThrow, withTimeout } from '#app/domain/writing/generate/timeout.ts';
import {
  beginItem,
  endItem,
  listAttempts,
  noAttempts,
  storeAttempts,
} from '#app/domain/writing/runs/attempts.ts';
import { refundItem } from '#app/domain/writing/runs/call-accounting.ts';
import { type ClaimedRun, isStillClaimed, recordRewritten } from '#app/domain/writing/runs/claim.ts';
import { endRun } from '#app/domain/writing/runs/end.ts';
import { type Clock, reportWriterFault } from '#app/domain/writing/runs/write-slot.ts';

type RewriteRun = ClaimedRun & { postId: string };

const GONE = 'The post is on its way or deleted, so its text stays as it was';
const ERRORS: Record<RewriteOutcome, string | null> = {
  replaced: null,
  same: 'The writer gave the same text again. Say what to change in other words',
  changed: 'You changed the post meanwhile, so your text stands. The new one is kept below',
  unavailable: GONE,
};

const POSITION = 0;

export async function rewriteOne(
  db: Db,
  run: RewriteRun,
  { clock, withinMs }: { clock: Clock; withinMs: number },
): Promise<void> {
  const { userId, postId, instruction } = run;
  const post = await findText(db, userId, postId);
  if (!post) return endRun(db, run, { error: GONE });
  const stored = await findBrief(db, userId, postId);
  const topic = await topicOf(db, userId, post.topicId, stored?.brief.topic ?? null);
  const rewrite = { postId, instruction, content: post.content, brief: stored?.brief ?? null };
  const context = await loadContext(db, userId, topic, { rewrite });
  const usage = noUsage();
  const item = { run, position: POSITION };
  const attempts = (await listAttempts(db, run.id)).get(POSITION) ?? noAttempts();
  let ready: GenerateResult | undefined;
  const onReady = (generated: GeneratedPost) => {
    ready = { post: generated };
  };
  await beginItem(db, run.id, POSITION, clock());
  try {
    const result = await withTimeout(
      withinMs,
      (signal) => generatePost({ db, userId, item, context, usage, attempts, signal, rewrite, onReady }),
      () => isStillClaimed(db, run),
    ).catch((error) => readyOrThrow(ready, error));
    await reportWriterFault(db, result, usage, clock());
    await retryWhenAvailable(() => transact(db, (trx) => endWithResult(trx, run, result, clock())));
  } catch (error) {
    // A text that passed the gates is no failed attempt.
    if (ready) attempts.answers = Math.max(0, attempts.answers - 1);
    await retryWhenAvailable(() => storeAttempts(db, run, POSITION, attempts));
    throw error;
  }
}

async function endWithResult(trx: Trx, run: RewriteRun, result: GenerateResult, now: Date): Promise<void> {
  await lockUser(trx, run.userId);
  if (!(await endItem(trx, run, POSITION, now))) return;
  if (!result.post) {
    if (result.cause === 'writer') await refundItem(trx, { run, position: POSITION });
    return endRun(trx, run, { error: `The new text was not good enough: ${result.problem}` });
  }
  const outcome = await store(trx, run, result.post, now);
  if (outcome === 'replaced') await recordRewritten(trx, run);
  await endRun(trx, run, { error: ERRORS[outcome] });
}

/** The topic of a post. Of a deleted topic only the name in the brief is left. */
async function topicOf(
  db: Db,
  userId: string,
  topicId: string | null,
  name: string | null,
): Promise<WritingTopic> {
  const topic = topicId ? await findWritingTopic(db, userId, topicId) : undefined;
  return topic ?? { id: NO_TOPIC_ID, name: name ?? '', description: '', keywords: [], tone: 'professional' };
}

/** The id of no topic, so only facts for all topics match. */
const NO_TOPIC_ID = '00000000-0000-0000-0000-000000000000';

async function store(
  trx: Trx,
  run: RewriteRun,
  generated: GeneratedPost,
  now: Date,
): Promise<RewriteOutcome> {
  const { postId, userId } = run;
  const made = toStoredBrief(generated);
  const before = (await findBrief(trx, userId, postId)) ?? null;
  const { content, hashtags } = generated.draft;
  const text = { content, hashtags, made };
  const outcome = await applyRewrite(trx, postId, run.postRevision ?? 0, { text, before }, now);
  if (outcome === 'replaced') await replaceBrief(trx, { postId, userId }, made, now);
  return outcome;
}
