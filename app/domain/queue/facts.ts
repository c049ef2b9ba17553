import { type RawBuilder, sql } from 'kysely';
import { asksFirst } from '#app/domain/automation/facts.ts';
import { isMissed } from '#app/domain/linkedin/facts.ts';
import { hasOpenAttempt } from '#app/domain/publishing/facts.ts';
import { approvalOf } from '#app/domain/topics/facts.ts';

/** The post in the column `postId` failed, and LinkedIn has not left it open whether it is there. */
export const hasFailed = (postId: string): RawBuilder<boolean> =>
  sql`exists (select from deliveries f where f.post_id = ${sql.ref(postId)}
    and f.status = 'failed' and not f.is_unconfirmed)`;

/** Its time passed before LinkedIn was connected again, and its owner is asked what becomes of it. */
export const waitsForChoice: RawBuilder<boolean> = isMissed({
  userId: 'deliveries.userId',
  dueAt: 'deliveries.dueAt',
  createdAt: 'posts.createdAt',
  visibility: 'posts.visibility',
});

/** A delivery joined with its post about which its owner can choose now. What may be on its way is none. */
export const canBeChosen: RawBuilder<boolean> = sql`(deliveries.due_at is not null and deliveries.status = 'generated' and posts.deleted_at is null
    and ${waitsForChoice} and not ${hasOpenAttempt('posts.id')})`;

/** When the post in the column `postId` goes out while it waits, not before an instant; null when it does not wait. */
export const goesOutAt = (postId: string, now: Date): RawBuilder<Date | null> =>
  sql`(select greatest(q.due_at, q.not_before, ${now}) from deliveries q
    where q.post_id = ${sql.ref(postId)} and q.due_at is not null)`;

/** The owner of a post wants to approve it before it goes out, by its topic or else by the settings. */
export const mustBeApproved: RawBuilder<boolean> = sql`coalesce(${approvalOf('posts.topicId')} = 'approve', ${asksFirst('posts.userId')})`;
