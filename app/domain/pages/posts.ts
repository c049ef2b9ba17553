import { sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Db } from '#app/db/client.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import { timetableOf, toTimetable } from '#app/domain/automation/timetable.ts';
import { coveredOf, readCoveredRow } from '#app/domain/payments/subscription/coverage.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { countsOf, type PostCounts } from '#app/domain/posts/counts/counts.ts';
import { toTotals } from '#app/domain/posts/counts/stats.ts';
import { newestLister, queueLister } from '#app/domain/posts/lists/list.ts';
import { listOutlinesOf } from '#app/domain/posts/lists/outlines.ts';
import { postsOf, type Span } from '#app/domain/posts/lists/post.ts';
import { takenSlotsOf, toTakenSlots } from '#app/domain/posts/rows.ts';
import { readTestPost, testsSinceOf } from '#app/domain/posts/test-posts.ts';
import { trustedTopicOf } from '#app/domain/publishing/approval/trusted-topics.ts';
import { testsCountSince } from '#app/domain/publishing/manual/test-post.ts';
import { takenFrom } from '#app/domain/publishing/slots/free-slots.ts';
import { movablePostsOf, readMovablePost } from '#app/domain/publishing/slots/upcoming-moves.ts';
import { attemptsOf } from '#app/domain/publishing/timeline.ts';
import { hasAnyTopic } from '#app/domain/topics/predicates.ts';
import { specificityOf } from '#app/domain/writing/generate/brief-store.ts';
import { fillingSlots, unfinishedRunsOf, unfinishedSince } from '#app/domain/writing/runs/fill-slot.ts';
import {
  dashboardRunsOf,
  readDashboardRun,
  runsInput,
  toDashboardRuns,
} from '#app/domain/writing/runs/list-for-dashboard.ts';

/** How many posts a page of the queue or the history has. */
export const POSTS_PER_PAGE = 25;

/** Lists the posts of the history, each with its publish attempts. */
export const listHistoryPosts = newestLister(
  (db, userId, by, now) => postsOf(db, userId, by, now).select(attemptsOf(db).as('timeline')),
  POSTS_PER_PAGE,
);

/** Lists the posts of the queue, each with its publish attempts and how specific its text is. */
export const listQueuedPosts = queueLister(
  (db, userId, by, now) =>
    postsOf(db, userId, by, now).select([attemptsOf(db).as('timeline'), specificityOf(db).as('specificity')]),
  POSTS_PER_PAGE,
);

export type HistoryPost = Awaited<ReturnType<typeof listHistoryPosts>>['rows'][number];

type UserInput = { userId: string; now: Date; fromDate: string };

const userInput = ({ userId, timeZone }: Actor, now: Date): UserInput => ({
  userId,
  now,
  fromDate: takenFrom(now, timeZone),
});

/** Selects what both lists of posts show besides their posts. */
const listColumns = (db: Db, input: UserInput & { testsSince: Date }) =>
  [
    jsonObjectFrom(timetableOf(db, input)).$notNull().as('timetable'),
    jsonArrayFrom(takenSlotsOf(db, input)).as('taken'),
    jsonArrayFrom(movablePostsOf(db, input)).as('movable'),
    jsonArrayFrom(testsSinceOf(db, { userId: input.userId, now: input.now, since: input.testsSince })).as(
      'tests',
    ),
    hasAnyTopic(input.userId).as('hasTopics'),
  ] as const;

const readQueue = compiledQuery(
  (db: Db, input: UserInput & { testsSince: Date; underWaySince: Date } & ReturnType<typeof runsInput>) =>
    db.selectNoFrom([
      ...listColumns(db, input),
      jsonArrayFrom(dashboardRunsOf(db, input)).as('runs'),
      jsonArrayFrom(unfinishedRunsOf(db, { userId: input.userId, since: input.underWaySince })).as(
        'underWay',
      ),
      jsonObjectFrom(trustedTopicOf(db, input)).as('trusted'),
    ]),
);

/** Returns what the queue shows besides its posts, in one query. */
export async function getQueue(db: Db, actor: Actor, now: Date) {
  const [row] = await readQueue(db, {
    ...userInput(actor, now),
    ...runsInput(null, now),
    underWaySince: unfinishedSince(now),
    testsSince: testsCountSince(now),
  });
  const timetable = toTimetable(row!.timetable);
  const taken = toTakenSlots(row!.taken);
  return {
    timetable,
    taken,
    movable: row!.movable.map(readMovablePost),
    tests: row!.tests.map(readTestPost),
    run: toDashboardRuns(row!.runs.map(readDashboardRun), null, now).shown,
    filling: fillingSlots(row!.underWay, timetable, taken, now),
    trusted: row!.trusted,
    hasTopics: row!.hasTopics,
  };
}

const readHistory = compiledQuery((db: Db, input: UserInput & { testsSince: Date }) =>
  db.selectNoFrom([
    ...listColumns(db, input),
    jsonObjectFrom(sql<PostCounts>`(${countsOf(input.userId)})`)
      .$notNull()
      .as('counts'),
  ]),
);

/** Returns what the history shows besides its posts, in one query. */
export async function getHistory(db: Db, actor: Actor, now: Date) {
  const [row] = await readHistory(db, { ...userInput(actor, now), testsSince: testsCountSince(now) });
  return {
    timetable: toTimetable(row!.timetable),
    taken: toTakenSlots(row!.taken),
    movable: row!.movable.map(readMovablePost),
    tests: row!.tests.map(readTestPost),
    totals: toTotals(row!.counts),
    hasTopics: row!.hasTopics,
  };
}

const readCalendar = compiledQuery((db: Db, input: UserInput & { underWaySince: Date }) =>
  db.selectNoFrom([
    jsonObjectFrom(timetableOf(db, input)).$notNull().as('timetable'),
    jsonArrayFrom(takenSlotsOf(db, input)).as('taken'),
    jsonArrayFrom(unfinishedRunsOf(db, { userId: input.userId, since: input.underWaySince })).as('underWay'),
    jsonArrayFrom(coveredOf(db, input)).as('covered'),
  ]),
);

/** Returns the posts of a span, the timetable, slots that are being filled and paid time, in two queries. */
export async function getCalendar(db: Db, actor: Actor, span: Span, now: Date) {
  const [posts, [row]] = await Promise.all([
    listOutlinesOf(db, actor, span, now),
    readCalendar(db, { ...userInput(actor, now), underWaySince: unfinishedSince(now) }),
  ]);
  const timetable = toTimetable(row!.timetable);
  return {
    posts,
    timetable,
    filling: fillingSlots(row!.underWay, timetable, toTakenSlots(row!.taken), now),
    covered: row!.covered.map(readCoveredRow),
  };
}
