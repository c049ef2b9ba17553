import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import type { Actor } from './actor.ts';
import { daysLeft } from './linkedin/days-left.ts';
import { givesAccess, renewsItself } from './linkedin/facts.ts';
import { WARN_BEFORE_DAYS } from './linkedin/limits.ts';
import { planCovers } from './payments/facts.ts';
import { canBeChosen } from './queue/facts.ts';

/** How many posts of the user wait for the choice of what becomes of them; 2 stands for all above. */
const missed = sql<number>`(select count(*)::int from (select from deliveries join posts on posts.id = deliveries.post_id
  where deliveries.user_id = users.id and ${canBeChosen} limit 2) as first_two)`;

/** How many posts of the user wait for approval. */
const waiting = sql<number>`(select count(*)::int from deliveries
  where deliveries.user_id = users.id and deliveries.status = 'pending' and deliveries.deleted_at is null)`;

/** What is the matter with the connection, for the banner on every page. */
export type ConnectionTrouble =
  | { kind: 'lost' }
  | { kind: 'missed'; isOne: boolean }
  | { kind: 'ending'; days: number };

type Row = {
  isLinkedInConnected: boolean;
  missed: number;
  expiresAt: Date | null;
  renewsItself: boolean;
};

function troubleOf({ isLinkedInConnected, missed, expiresAt, renewsItself }: Row, now: Date) {
  if (!expiresAt) return null;
  if (!isLinkedInConnected) return { kind: 'lost' as const };
  if (missed > 0) return { kind: 'missed' as const, isOne: missed === 1 };
  const days = daysLeft({ expiresAt, renewsItself }, now);
  return days !== null && days <= WARN_BEFORE_DAYS[0] ? { kind: 'ending' as const, days } : null;
}

/** What every signed-in page shows around its content, in one query. */
export async function getShellState(db: Db, actor: Actor, now = new Date()) {
  if (actor.isAdmin) {
    return { isLinkedInConnected: false, hasActivePlan: false, trouble: null, picture: null, waiting: 0 };
  }
  const {
    hasActivePlan,
    picture,
    waiting: count,
    ...row
  } = await db
    .selectFrom('users')
    .leftJoin('linkedinConnections', 'linkedinConnections.userId', 'users.id')
    .select([
      sql<boolean>`coalesce(${givesAccess('linkedinConnections', now)}, false)`.as('isLinkedInConnected'),
      planCovers('users.id', now).as('hasActivePlan'),
      missed.as('missed'),
      waiting.as('waiting'),
      'linkedinConnections.picture',
      'linkedinConnections.expiresAt',
      renewsItself('linkedinConnections').as('renewsItself'),
    ])
    .where('users.id', '=', actor.userId)
    .executeTakeFirstOrThrow();
  const trouble: ConnectionTrouble | null = troubleOf(row, now);
  return { isLinkedInConnected: row.isLinkedInConnected, hasActivePlan, trouble, picture, waiting: count };
}
