import { type Db, type Trx, transact } from '#app/db/client.ts';
import { retryWhenAvailable } from '#app/db/retry-when-available.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { findText } from '#app/domain/posts/rows.ts';
import { applyRewrite, type RewriteOutcome } from '#app/domain/publishing/edit/rewrite.ts';
import { findWritingTopic, type WritingTopic } from '#app/domain/topics/turns.ts';
import { type Composed, exchangeMade, findBrief, madeOf } from '#app/domain/writing/generate/brief-store.ts';
import { gatherMaterial } from '#app/domain/writing/generate/context.ts';
import { noUsage, type Written, writeChecked } from '#app/domain/writing/generate/generate.ts';
import { inTime, standsFor } from '#app/domain/writing/generate/timeout.ts';
import {
  beginPlace,
  endPlace,
  listTries,
  noTries,
  storeAttempts,
} from '#app/domain/writing/runs/attempts.ts';
import { freePlace } from '#app/domain/writing/runs/call-accounting.ts';
import { type ClaimedRun, isStillClaimed, recordRewritten } from '#app/domain/writing/runs/claim.ts';
import { endRun } from '#app/domain/writing/runs/end.ts';
import { type Clock, reportWriterFault } from '#app/domain/writing/runs/write-slot.ts';

type Rewriting = ClaimedRun & { postId: string };

const GONE = 'The post is on its way or deleted, so its text stays as it was';
const FATES: Record<RewriteOutcome, string | null> = {
  replaced: null,
  same: 'The writer gave the same text again. Say what to change in other words',
  changed: 'You changed the post meanwhile, so your text stands. The new one is kept below',
  unavailable: GONE,
};

/** Writes the one post of a run again, and ends the run. */
export async function rewriteOne(
  db: Db,
  run: Rewriting,
  { clock, withinMs }: { clock: Clock; withinMs: number },
): Promise<void> {
  const { userId, postId, instruction } = run;
  const post = await findText(db, userId, postId);
  if (!post) return endRun(db, run, { error: GONE });
  const made = await findBrief(db, userId, postId);
  const topic = await topicOf(db, userId, post.topicId, made?.brief.topic ?? null);
  const again = { postId, instruction, content: post.content, brief: made?.brief ?? null };
  const material = await gatherMaterial(db, userId, topic, { again });
  const usage = noUsage();
  const place = { run, index: PLACE };
  const tries = (await listTries(db, run.id)).get(PLACE) ?? noTries();
  let ready: Written | undefined;
  const onReady = (composed: Composed) => {
    ready = { composed };
  };
  await beginPlace(db, run.id, PLACE, clock());
  try {
    const written = await inTime(
      withinMs,
      (signal) => writeChecked({ db, userId, place, material, usage, tries, signal, again, onReady }),
      () => isStillClaimed(db, run),
    ).catch((error) => standsFor(ready, error));
    await reportWriterFault(db, written, usage, clock());
    await retryWhenAvailable(() => transact(db, (trx) => put(trx, run, written, clock())));
  } catch (error) {
    // A text that passed is no try that failed.
    if (ready) tries.answers = Math.max(0, tries.answers - 1);
    await retryWhenAvailable(() => storeAttempts(db, run, PLACE, tries));
    throw error;
  }
}

/** The one place of the run. */
const PLACE = 0;

async function put(trx: Trx, run: Rewriting, written: Written, now: Date): Promise<void> {
  await lockUser(trx, run.userId);
  if (!(await endPlace(trx, run, PLACE, now))) return;
  if (!written.composed) {
    if (written.lies === 'writer') await freePlace(trx, { run, index: PLACE });
    return endRun(trx, run, { error: `The new text was not good enough: ${written.problem}` });
  }
  const fate = await store(trx, run, written.composed, now);
  if (fate === 'replaced') await recordRewritten(trx, run);
  await endRun(trx, run, { error: FATES[fate] });
}

/** The topic of a post, or what is left of one that was deleted. */
async function topicOf(
  db: Db,
  userId: string,
  topicId: string | null,
  name: string | null,
): Promise<WritingTopic> {
  const topic = topicId ? await findWritingTopic(db, userId, topicId) : undefined;
  return topic ?? { id: NO_TOPIC, name: name ?? '', description: '', keywords: [], tone: 'professional' };
}

/** No topic has it, so only facts for all topics fit. */
const NO_TOPIC = '00000000-0000-0000-0000-000000000000';

async function store(trx: Trx, run: Rewriting, composed: Composed, now: Date): Promise<RewriteOutcome> {
  const { postId, userId } = run;
  const made = madeOf(composed);
  const before = (await findBrief(trx, userId, postId)) ?? null;
  const text = { content: composed.draft.content, hashtags: composed.draft.hashtags, made };
  const fate = await applyRewrite(trx, postId, run.postRevision ?? 0, { text, before }, now);
  if (fate === 'replaced') await exchangeMade(trx, { postId, userId }, made, now);
  return fate;
}
