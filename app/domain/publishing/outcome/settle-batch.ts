import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import type { Sent } from '#app/domain/publishing/send/attempt.ts';
import { lockScheduled, markBatchPublished } from '#app/domain/queue/post-state.ts';
import type { PostOutcome } from '#app/integrations/linkedin/posts.ts';

type BatchedResponse = { publication: Sent; outcome: PostOutcome };
type Taken = { publication: Sent; outcome: Extract<PostOutcome, { kind: 'published' }> };

/**
 * Writes with a few statements what most answers say: LinkedIn took the post, and nothing else has happened to
 * it meanwhile. Answers the ids of those attempts; every other answer is for `settle`. All or nothing: it
 * throws when one of the posts can't have its address.
 */
export async function settleBatch(db: Db, answers: BatchedResponse[]): Promise<Set<string>> {
  const taken = answers.flatMap(({ publication, outcome }): Taken[] =>
    outcome.kind === 'published' && !publication.confirmsId ? [{ publication, outcome }] : [],
  );
  if (taken.length === 0) return new Set();
  return transact(db, async (trx) => {
    const scheduled = await lockScheduled(
      trx,
      taken.map(({ publication }) => publication.postId),
    );
    const now = await databaseTime(trx);
    const plain = taken.filter(({ publication }) => scheduled.has(publication.postId));
    const closed = await closeBatch(trx, plain, now);
    const out = plain.filter(({ publication }) => closed.has(publication.id));
    for (const { publication } of out) {
      const { id: publicationId, postId, userId } = publication;
      emitEvent('publish_outcome', { userId, postId, publicationId, state: 'published' }, trx);
    }
    if (out.length === 0) return closed;
    await markBatchPublished(
      trx,
      out.map(({ publication: { postId, startedAt }, outcome: { urn } }) => ({ postId, urn, at: startedAt })),
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
  const rows = taken.map(({ publication: { id }, outcome: { urn, status, trace } }) => ({
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
