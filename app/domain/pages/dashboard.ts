import { sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Db } from '#app/db/client.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import { localDayOf } from '#app/domain/automation/slots.ts';
import { timetableOf, toTimetable } from '#app/domain/automation/timetable.ts';
import { coveredOf, readCoveredRow } from '#app/domain/payments/subscription/coverage.ts';
import {
  readSubscriptionRow,
  subscriptionOf,
  toSubscription,
} from '#app/domain/payments/subscription/subscription.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { type Stats, statsOf } from '#app/domain/posts/counts/stats.ts';
import { takenSlotsOf, toTakenSlots } from '#app/domain/posts/rows.ts';
import { trustedTopicOf } from '#app/domain/publishing/approval/trusted-topics.ts';
import { takenFrom } from '#app/domain/publishing/slots/free-slots.ts';
import { movablePostsOf, readMovablePost } from '#app/domain/publishing/slots/upcoming-moves.ts';
import { topicNamesOf } from '#app/domain/topics/topics.ts';
import {
  dashboardRunsOf,
  readDashboardRun,
  runsInput,
  toDashboardRuns,
} from '#app/domain/writing/runs/list-for-dashboard.ts';

type DashboardInput = { userId: string; now: Date; start: Date; end: Date; fromDate: string } & ReturnType<
  typeof runsInput
>;

const read = compiledQuery((db: Db, input: DashboardInput) =>
  db.selectNoFrom([
    jsonObjectFrom(subscriptionOf(db, input)).as('subscription'),
    jsonArrayFrom(coveredOf(db, input)).as('covered'),
    jsonObjectFrom(timetableOf(db, input)).$notNull().as('timetable'),
    jsonArrayFrom(topicNamesOf(db, input)).as('topics'),
    jsonObjectFrom(trustedTopicOf(db, input)).as('trusted'),
    jsonObjectFrom(sql<Stats>`(${statsOf(input)})`)
      .$notNull()
      .as('stats'),
    jsonArrayFrom(dashboardRunsOf(db, input)).as('runs'),
    jsonArrayFrom(takenSlotsOf(db, input)).as('taken'),
    jsonArrayFrom(movablePostsOf(db, input)).as('movable'),
  ]),
);

/**
 * Returns what the dashboard shows besides posts, in one query: the plan and the time that it covers, the timetable,
 * the topics, the counts, the generation runs, and what decides where unapproved posts move.
 *
 * @param runId The run that the URL names.
 */
export async function getDashboard(db: Db, { userId, timeZone }: Actor, runId: string | null, now: Date) {
  const { start, end } = localDayOf(now, timeZone);
  const fromDate = takenFrom(now, timeZone);
  const [row] = await read(db, { userId, now, start, end, fromDate, ...runsInput(runId, now) });
  const { subscription, covered, timetable, topics, trusted, stats, runs, taken, movable } = row!;
  return {
    subscription: subscription && toSubscription(readSubscriptionRow(subscription), now),
    covered: covered.map(readCoveredRow),
    timetable: toTimetable(timetable),
    topics,
    /** A topic whose owner could be offered to publish without approval. */
    trusted,
    stats,
    runs: toDashboardRuns(runs.map(readDashboardRun), runId, now),
    taken: toTakenSlots(taken),
    movable: movable.map(readMovablePost),
  };
}
