import { type ExpressionBuilder, sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Db } from '#app/db/client.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import type { Database } from '#app/db/tables.ts';
import { findDeletion } from '#app/domain/accounts/lifecycle/deletion-requests.ts';
import { eraseAt } from '#app/domain/accounts/predicates.ts';
import { isAutomationOff } from '#app/domain/automation/predicates.ts';
import { daysLeft } from '#app/domain/linkedin/access/days-left.ts';
import { authorOf } from '#app/domain/linkedin/author.ts';
import { WARN_BEFORE_DAYS } from '#app/domain/linkedin/limits.ts';
import { givesAccess, renewsItself } from '#app/domain/linkedin/predicates.ts';
import { coveredUntil } from '#app/domain/payments/predicates.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { canBeChosen } from '#app/domain/publishing/predicates.ts';
import {
  findPause,
  type Pause,
  parsePauseRow,
  pauseRow,
  toPauses,
} from '#app/domain/publishing/safety/pause.ts';

/** Missed posts for which the user has to choose; 2 stands for all larger numbers. */
const missed = sql<number>`(select count(*)::int from (select from post_schedules join posts on posts.id = post_schedules.post_id
  where post_schedules.user_id = users.id and ${canBeChosen} limit 2) as first_two)`;

const waiting = sql<number>`(select count(*)::int from post_schedules
  where post_schedules.user_id = users.id and post_schedules.status = 'pending' and post_schedules.deleted_at is null)`;

const hasQueue = sql<boolean>`exists (select from post_schedules where post_schedules.user_id = users.id
  and post_schedules.due_at is not null and post_schedules.deleted_at is null)`;

/** `isOver`: the permission has expired; otherwise LinkedIn has revoked it. */
export type ConnectionProblem =
  | { kind: 'lost'; isOver: boolean }
  | { kind: 'missed'; isOne: boolean }
  | { kind: 'ending'; days: number };

type Row = {
  isLinkedInConnected: boolean;
  missed: number;
  expiresAt: Date | null;
  renewsItself: boolean;
};

function connectionProblem({ isLinkedInConnected, missed, expiresAt, renewsItself }: Row, now: Date) {
  if (!expiresAt) return null;
  if (!isLinkedInConnected) return { kind: 'lost' as const, isOver: expiresAt <= now };
  if (missed > 0) return { kind: 'missed' as const, isOne: missed === 1 };
  const days = daysLeft({ expiresAt, renewsItself }, now);
  return days !== null && days <= WARN_BEFORE_DAYS[0] ? { kind: 'ending' as const, days } : null;
}

const EMPTY_SHELL = {
  isLinkedInConnected: false,
  hasActivePlan: false,
  planEndsAt: null,
  trouble: null,
  picture: null,
  waiting: 0,
  isPaused: false,
  hasQueue: false,
  payment: null,
  hasConnection: false,
  eraseAt: null as Date | null,
};

const latestPayment = (eb: ExpressionBuilder<Database, 'users'>) =>
  eb
    .selectFrom('payments')
    .select(['status', 'createdAt', 'endsAt', 'rejectReason', 'postsPerDay', 'currencyCode'])
    .whereRef('payments.userId', '=', 'users.id')
    .orderBy(sql`payments.status = 'pending'`, 'desc')
    .orderBy('payments.createdAt', 'desc')
    .limit(1)
    .as('last');

const readShell = compiledQuery((db: Db, { userId, now }: { userId: string; now: Date }) =>
  db
    .selectFrom('users')
    .leftJoin('linkedinConnections', 'linkedinConnections.userId', 'users.id')
    .leftJoinLateral(latestPayment, (join) => join.onTrue())
    .select([
      sql<boolean>`coalesce(${givesAccess('linkedinConnections', now)}, false)`.as('isLinkedInConnected'),
      coveredUntil('users.id', now).as('planEndsAt'),
      isAutomationOff('users.id').as('isPaused'),
      eraseAt('users.id').as('eraseAt'),
      missed.as('missed'),
      waiting.as('waiting'),
      hasQueue.as('hasQueue'),
      jsonObjectFrom(pauseRow(db)).$notNull().as('stops'),
      'users.headline',
      'linkedinConnections.name as memberName',
      'linkedinConnections.picture',
      'linkedinConnections.expiresAt',
      renewsItself('linkedinConnections').as('renewsItself'),
      'last.status',
      'last.createdAt',
      'last.endsAt',
      'last.rejectReason',
      'last.postsPerDay',
      'last.currencyCode',
    ])
    .where('users.id', '=', userId),
);

type ShellRow = Awaited<ReturnType<typeof readShell>>[number];

function paymentOf({ status, createdAt, endsAt, rejectReason, postsPerDay, currencyCode }: ShellRow) {
  if (!status) return null;
  const choice = { postsPerDay: postsPerDay!, currencyCode: currencyCode! };
  return { status, createdAt: createdAt!, endsAt, rejectReason, ...choice };
}

/** Returns the data of the layout of signed-in pages. One query for a user, two for an admin. */
export async function getShellState(db: Db, actor: Actor, now = new Date()) {
  if (actor.isAdmin) return getAdminsShell(db, actor, now);
  const row = (await readShell(db, { userId: actor.userId, now }))[0]!;
  const { isLinkedInConnected, planEndsAt, picture, waiting, isPaused, hasQueue, headline, eraseAt } = row;
  const trouble: ConnectionProblem | null = connectionProblem(row, now);
  const member = row.memberName === null ? null : { name: row.memberName, picture };
  const pause: Pause | undefined = toPauses(parsePauseRow(row.stops), now)[0];
  return {
    isLinkedInConnected,
    hasActivePlan: planEndsAt !== null,
    planEndsAt,
    trouble,
    picture,
    waiting,
    isPaused,
    hasQueue,
    payment: paymentOf(row),
    hasConnection: member !== null,
    /** The profile on which posts appear. */
    author: authorOf({ name: actor.name, headline }, member),
    eraseAt,
    /** What stops publishing for all users, if anything. */
    pause,
  };
}
export type ShellState = Awaited<ReturnType<typeof getShellState>>;

async function getAdminsShell(db: Db, actor: Actor, now: Date) {
  const [deletion, pause] = await Promise.all([findDeletion(db, actor.userId), findPause(db, now)]);
  const author = authorOf({ name: actor.name, headline: '' }, null);
  return { ...EMPTY_SHELL, author, eraseAt: deletion?.eraseAt ?? null, pause };
}
