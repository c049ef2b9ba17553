import { type RawBuilder, sql } from 'kysely';

/** An attempt at the post in the column `postId` is unsettled: LinkedIn may be taking it at this moment. */
export const hasOpenAttempt = (postId: string): RawBuilder<boolean> =>
  sql`exists (select from publications o where o.post_id = ${sql.ref(postId)} and o.resolved_at is null)`;

/** Publishing is stopped for everybody. */
export const isPublishingPaused = (now: Date): RawBuilder<boolean> =>
  sql`exists (select from publishing_switch w where w.paused_until > ${now})`;
