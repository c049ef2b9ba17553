import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { asksFirst } from '#app/domain/automation/predicates.ts';
import { APPROVED_IN_A_ROW } from '#app/domain/publishing/limits.ts';
import { approvalOf } from '#app/domain/topics/predicates.ts';

/** The user approved the post without an edit, and neither deleted nor skipped it. */
const isApprovedUnchanged = sql`d.approved_at is not null and p.revision = 0 and p.deleted_at is null
  and d.failure is distinct from 'skipped'`;

/** Each of the latest posts about the topic that no longer wait for approval was approved unchanged. */
const isTrusted = sql<boolean>`(
  select count(*) = ${APPROVED_IN_A_ROW} and bool_and(is_unchanged) from (
    select ${isApprovedUnchanged} as is_unchanged
    from posts p join post_schedules d on d.post_id = p.id
    where p.topic_id = topics.id and (d.status <> 'pending' or d.deleted_at is not null)
    order by p.created_at desc limit ${APPROVED_IN_A_ROW}) as latest)`;

/**
 * Selects a topic whose posts need approval, whose latest posts were all approved without an edit, and whose owner
 * has not yet answered the offer to publish without approval.
 */
export const trustedTopicOf = (db: Db, { userId }: { userId: string }) =>
  db
    .selectFrom('topics')
    .select(['id', 'name'])
    .where('userId', '=', userId)
    .where('autoPublishAnsweredAt', 'is', null)
    .where(sql<boolean>`coalesce(${approvalOf('topics.id')} = 'approve', ${asksFirst('topics.userId')})`)
    .where(isTrusted)
    .orderBy('createdAt')
    .limit(1);
