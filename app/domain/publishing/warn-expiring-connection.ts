import type { NotNull } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { findUser, mailUser } from '#app/domain/accounts/users.ts';
import { isAutomationOn } from '#app/domain/automation/predicates.ts';
import { daysLeft } from '#app/domain/linkedin/access/days-left.ts';
import { listEnding } from '#app/domain/linkedin/access/expiring.ts';
import { WARN_BEFORE_DAYS } from '#app/domain/linkedin/limits.ts';
import { formatInMail } from '#app/domain/platform/dates.ts';
import { forEachSettled } from '#app/domain/platform/for-each-settled.ts';
import { env } from '#app/env.ts';
import { openingOf } from './mails.ts';

const DAY_MS = 86_400_000;
type ExpiringConnection = { userId: string; expiresAt: Date };

/** Lists the posts due after `at`, soonest first, also those that still need approval or a plan. */
const postsAfter = (db: Db, userId: string, at: Date) =>
  db
    .selectFrom('postSchedules')
    .innerJoin('posts', 'posts.id', 'postSchedules.postId')
    .select(['posts.content', 'postSchedules.dueAt'])
    .$narrowType<{ dueAt: NotNull }>()
    .where('postSchedules.userId', '=', userId)
    .where('postSchedules.dueAt', '>=', at)
    .where(({ or, eb }) =>
      or([eb('postSchedules.isManual', '=', true), isAutomationOn('postSchedules.userId')]),
    )
    .where('posts.deletedAt', 'is', null)
    .orderBy('postSchedules.dueAt')
    .execute();

/**
 * Mails users 10, 3 and 1 days before their LinkedIn permission ends, each once, with the posts that would miss their
 * time. After a downtime only the nearest of the three is sent.
 */
export async function warnEndingConnections(db: Db, now = new Date()): Promise<void> {
  const soon = new Date(now.getTime() + WARN_BEFORE_DAYS[0] * DAY_MS);
  await forEachSettled(await listEnding(db, soon, now), (ending) => warn(db, ending, now));
}

async function warn(db: Db, { userId, expiresAt }: ExpiringConnection, now: Date): Promise<void> {
  const remaining = expiresAt.getTime() - now.getTime();
  const step = WARN_BEFORE_DAYS.findLast((each) => remaining <= each * DAY_MS)!;
  const { timeZone } = await findUser(db, userId);
  const posts = await postsAfter(db, userId, expiresAt);
  const data = {
    days: daysLeft({ expiresAt, renewsItself: false }, now)!,
    at: formatInMail(expiresAt, timeZone),
    posts: posts.map(({ content, dueAt }) => ({
      opening: openingOf(content),
      at: formatInMail(dueAt, timeZone),
    })),
    url: `${env().APP_URL}/app/linkedin`,
  };
  const key = `linkedin-ending:${userId}:${expiresAt.toISOString()}:${step}`;
  await mailUser(db, userId, 'linkedInEnding', data, key);
}
