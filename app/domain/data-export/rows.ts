import { type ReferenceExpression, type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import type { Database } from '#app/db/tables.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { HELD } from './columns.ts';

type OfPost = { postId: string };

/** The rows of each post, without its id, which the post has. */
function byPost<Row extends OfPost>(rows: Row[]): (postId: string) => Omit<Row, 'postId'>[] {
  const grouped = Map.groupBy(rows, ({ postId }) => postId);
  return (postId) => (grouped.get(postId) ?? []).map(({ postId: _, ...row }) => row);
}

/** Posts with where they stand, every attempt and text, how they were made and what was counted. */
async function withAllOfPosts<Post extends { id: string }>(db: Db, posts: Post[]): Promise<object[]> {
  if (posts.length === 0) return [];
  const ids = posts.map(({ id }) => id);
  const [schedules, attempts, versions, engagements, briefs, uses, exclusions] = await Promise.all([
    db.selectFrom('postSchedules').select(HELD.postSchedules).where('postId', 'in', ids).execute(),
    db.selectFrom('publishAttempts').select(HELD.publishAttempts).where('postId', 'in', ids).execute(),
    db.selectFrom('postVersions').select(HELD.postVersions).where('postId', 'in', ids).execute(),
    db.selectFrom('engagements').select(HELD.engagements).where('postId', 'in', ids).execute(),
    db.selectFrom('briefs').select(HELD.briefs).where('postId', 'in', ids).execute(),
    db.selectFrom('factUses').select(HELD.factUses).where('postId', 'in', ids).execute(),
    db.selectFrom('landingExclusions').select(HELD.landingExclusions).where('postId', 'in', ids).execute(),
  ]);
  const [scheduleOf, attemptsOf, versionsOf] = [byPost(schedules), byPost(attempts), byPost(versions)];
  const [engagementOf, briefOf, factsOf] = [byPost(engagements), byPost(briefs), byPost(uses)];
  const exclusionOf = byPost(exclusions);
  return posts.map((post) => ({
    ...post,
    schedule: scheduleOf(post.id)[0] ?? null,
    attempts: attemptsOf(post.id),
    versions: versionsOf(post.id),
    engagement: engagementOf(post.id)[0] ?? null,
    brief: briefOf(post.id)[0] ?? null,
    landingExclusion: exclusionOf(post.id)[0] ?? null,
    factsUsed: factsOf(post.id).map(({ factId }) => factId),
  }));
}

/** Runs with the attempts to write each of their posts. */
async function withAttempts<Run extends { id: string }>(db: Db, runs: Run[]): Promise<object[]> {
  if (runs.length === 0) return [];
  const ids = runs.map(({ id }) => id);
  const attempts = await db
    .selectFrom('generationAttempts')
    .select(HELD.generationAttempts)
    .where('runId', 'in', ids)
    .execute();
  const grouped = Map.groupBy(attempts, ({ runId }) => runId);
  return runs.map((run) => ({
    ...run,
    attempts: (grouped.get(run.id) ?? []).map(({ runId: _, ...attempt }) => attempt),
  }));
}

/** Requests with what was written in each after it; notes are about us. */
async function withThreads<Ticket extends { id: string }>(db: Db, tickets: Ticket[]): Promise<object[]> {
  if (tickets.length === 0) return [];
  const ids = tickets.map(({ id }) => id);
  const replies = await db
    .selectFrom('supportReplies')
    .select(HELD.supportReplies)
    .where('ticketId', 'in', ids)
    .where('kind', '<>', 'note')
    .orderBy('createdAt')
    .execute();
  const grouped = Map.groupBy(replies, ({ ticketId }) => ticketId);
  return tickets.map((ticket) => ({
    ...ticket,
    thread: (grouped.get(ticket.id) ?? []).map(({ ticketId: _, ...reply }) => reply),
  }));
}

type Pages = AsyncGenerator<object[]>;

const ROWS_AT_A_TIME = 100;

type Aged = { id: string; createdAt: Date };

/** What there are few of, in one page. */
async function* onePage(query: { execute(): Promise<object[]> }): Pages {
  yield await query.execute();
}

/**
 * Rows of a table by their age, the latest first, some at a time, each page as `withMore` makes it. `aged`: the column that
 * the query selects as `createdAt`.
 */
async function* byAge<T extends keyof Database, Row extends Aged>(
  query: SelectQueryBuilder<Database, T, Row>,
  table: T,
  withMore: (rows: Row[]) => Promise<object[]> | object[] = (rows) => rows,
  aged = 'createdAt',
): Pages {
  const [createdAt, id] = [`${table}.${aged}`, `${table}.id`] as ReferenceExpression<Database, T>[];
  const ordered = query.orderBy(createdAt!, 'desc').orderBy(id!, 'desc').limit(ROWS_AT_A_TIME);
  let last: Aged | undefined;
  for (;;) {
    const isLater =
      last &&
      sql<boolean>`(${sql.ref(`${table}.${aged}`)}, ${sql.ref(`${table}.id`)}) < (${last.createdAt}, ${last.id})`;
    const rows = await (isLater ? ordered.where(isLater) : ordered).execute();
    yield await withMore(rows as Row[]);
    last = rows.at(-1) as Aged | undefined;
    if (rows.length < ROWS_AT_A_TIME) return;
  }
}

type One = (db: Db, actor: Actor) => Promise<object | undefined>;
type List = (db: Db, actor: Actor) => Pages;

/** What there is once of each person. */
export const ONES: Record<string, One> = {
  account: (db, { userId }) =>
    db.selectFrom('users').select(HELD.users).where('id', '=', userId).executeTakeFirst(),
  deletion: (db, { userId }) =>
    db
      .selectFrom('accountDeletions')
      .select(HELD.accountDeletions)
      .where('userId', '=', userId)
      .executeTakeFirst(),
  disabling: (db, { userId }) =>
    db
      .selectFrom('disabledAccounts')
      .select(HELD.disabledAccounts)
      .where('userId', '=', userId)
      .executeTakeFirst(),
  linkedIn: (db, { userId }) =>
    db
      .selectFrom('linkedinConnections')
      .select(HELD.linkedinConnections)
      .where('userId', '=', userId)
      .executeTakeFirst(),
  settings: (db, { userId }) =>
    db
      .selectFrom('automationSettings')
      .select(HELD.automationSettings)
      .where('userId', '=', userId)
      .executeTakeFirst(),
  authenticatorApp: (db, { userId }) =>
    db
      .selectFrom('authenticatorApps')
      .select(HELD.authenticatorApps)
      .where('userId', '=', userId)
      .executeTakeFirst(),
  emailChange: (db, { userId }) =>
    db.selectFrom('emailChanges').select(HELD.emailChanges).where('userId', '=', userId).executeTakeFirst(),
  voice: (db, { userId }) =>
    db.selectFrom('voices').select(HELD.voices).where('userId', '=', userId).executeTakeFirst(),
};

/** One at a time, for each may be megabytes; a picture is written as text in base 64. */
async function* pictures(db: Db, { userId }: Actor): Pages {
  const own = await db
    .selectFrom('paymentScreenshots')
    .innerJoin('payments', 'payments.id', 'paymentId')
    .select('paymentId')
    .where('userId', '=', userId)
    .orderBy('paymentScreenshots.createdAt')
    .execute();
  for (const { paymentId } of own) {
    const rows = await db
      .selectFrom('paymentScreenshots')
      .select(HELD.paymentScreenshots)
      .where('paymentId', '=', paymentId)
      .execute();
    yield rows.map(({ bytes, ...row }) => ({ ...row, bytes: bytes.toString('base64') }));
  }
}

/** What is bounded by a limit of its own is read at once, everything else some rows at a time. */
export const LISTS: Record<string, List> = {
  sessions: (db, { userId }) =>
    onePage(db.selectFrom('sessions').select(HELD.sessions).where('userId', '=', userId)),
  signInMethods: (db, { userId }) =>
    onePage(db.selectFrom('identities').select(HELD.identities).where('userId', '=', userId)),
  webhooks: (db, { userId }) =>
    onePage(
      db
        .selectFrom('webhookEndpoints')
        .select(HELD.webhookEndpoints)
        .where('userId', '=', userId)
        .orderBy('createdAt'),
    ),
  passkeys: (db, { userId }) =>
    onePage(
      db.selectFrom('passkeys').select(HELD.passkeys).where('userId', '=', userId).orderBy('createdAt'),
    ),
  openSignUps: (db, { email }) =>
    onePage(db.selectFrom('signUps').select(HELD.signUps).where('email', '=', email)),
  passwordResets: (db, { email }) =>
    onePage(db.selectFrom('passwordResets').select(HELD.passwordResets).where('email', '=', email)),
  codesAskedFor: (db, { email }) =>
    onePage(db.selectFrom('codeRequests').select(HELD.codeRequests).where('email', '=', email)),
  unwantedMails: (db, { userId }) =>
    onePage(db.selectFrom('emailOptOuts').select(HELD.emailOptOuts).where('userId', '=', userId)),
  voiceExamples: (db, { userId }) =>
    onePage(db.selectFrom('voiceExamples').select(HELD.voiceExamples).where('userId', '=', userId)),
  topics: (db, { userId }) =>
    onePage(db.selectFrom('topics').select(HELD.topics).where('userId', '=', userId)),
  facts: (db, { userId }) => onePage(db.selectFrom('facts').select(HELD.facts).where('userId', '=', userId)),
  payments: (db, { userId }) =>
    onePage(
      db.selectFrom('payments').select(HELD.payments).where('userId', '=', userId).orderBy('createdAt'),
    ),
  paymentRequests: (db, { userId }) =>
    onePage(
      db
        .selectFrom('paymentRequests')
        .select(HELD.paymentRequests)
        .where('userId', '=', userId)
        .orderBy('openedAt'),
    ),
  paymentScreenshots: pictures,
  writerCalls: (db, { userId }) =>
    onePage(
      db.selectFrom('writerCalls').select(HELD.writerCalls).where('userId', '=', userId).orderBy('day'),
    ),
  posts: (db, { userId }) =>
    byAge(
      db.selectFrom('posts').select(HELD.posts).where('userId', '=', userId).where('deletedAt', 'is', null),
      'posts',
      (posts) => withAllOfPosts(db, posts),
    ),
  deletedPosts: (db, { userId }) =>
    byAge(
      db
        .selectFrom('posts')
        .select(HELD.posts)
        .where('userId', '=', userId)
        .where('deletedAt', 'is not', null),
      'posts',
      (posts) => withAllOfPosts(db, posts),
    ),
  generationRuns: (db, { userId }) =>
    byAge(
      db.selectFrom('generationRuns').select(HELD.generationRuns).where('userId', '=', userId),
      'generationRuns',
      (runs) => withAttempts(db, runs),
    ),
  supportRequests: (db, { userId }) =>
    byAge(
      db.selectFrom('supportTickets').select(HELD.supportTickets).where('userId', '=', userId),
      'supportTickets',
      (tickets) => withThreads(db, tickets),
    ),
  mails: (db, { userId }) =>
    byAge(db.selectFrom('mails').select(HELD.mails).where('userId', '=', userId), 'mails'),
  feedback: (db, { userId }) =>
    byAge(db.selectFrom('feedback').select(HELD.feedback).where('userId', '=', userId), 'feedback'),
  feedbackVotes: (db, { userId }) =>
    onePage(
      db
        .selectFrom('feedbackVotes')
        .select(HELD.feedbackVotes)
        .where('userId', '=', userId)
        .orderBy('createdAt'),
    ),
  clicksInMails: (db, { userId }) =>
    byAge(
      db
        .selectFrom('emailClicks')
        .select(HELD.emailClicks)
        .select('clickedAt as createdAt')
        .where('userId', '=', userId),
      'emailClicks',
      (clicks) => clicks.map(({ createdAt: _, ...click }) => click),
      'clickedAt',
    ),
  adminActions: (db, { userId }) =>
    byAge(db.selectFrom('auditLog').select(HELD.auditLog).where('adminId', '=', userId), 'auditLog'),
};
