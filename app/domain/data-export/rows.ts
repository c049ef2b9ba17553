import { type ReferenceExpression, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import type { Database } from '#app/db/tables.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { EXPORTED_COLUMNS } from './columns.ts';

type ExportedTable = keyof typeof EXPORTED_COLUMNS;
type Column<T extends ExportedTable> = keyof Database[T] & string;

/** The exported columns of the rows whose `column` has one of these values. */
async function readRows<T extends ExportedTable>(
  db: Db,
  table: T,
  column: Column<T>,
  values: string[],
  orderBy?: Column<T>,
): Promise<Selectable<Database[T]>[]> {
  const { rows } = await sql<Selectable<Database[T]>>`
    select ${sql.join(EXPORTED_COLUMNS[table].map((name) => sql.ref(name)))}
    from ${sql.table(table)} where ${sql.ref(column)} = any(${values})
    ${orderBy ? sql`order by ${sql.ref(orderBy)}` : sql``}`.execute(db);
  return rows;
}

/** Groups rows by the row that contains them, and drops the column with its id. */
function groupBy<Row, Key extends keyof Row>(rows: Row[], key: Key): (id: string) => Omit<Row, Key>[] {
  const grouped = Map.groupBy(rows, (row) => row[key]);
  return (id) => (grouped.get(id as Row[Key]) ?? []).map(({ [key]: _, ...row }) => row);
}

async function withPostDetails<Post extends { id: string }>(db: Db, posts: Post[]): Promise<object[]> {
  if (posts.length === 0) return [];
  const ids = posts.map(({ id }) => id);
  const [schedules, attempts, versions, engagements, briefs, factUses, exclusions] = await Promise.all([
    readRows(db, 'postSchedules', 'postId', ids),
    readRows(db, 'publishAttempts', 'postId', ids),
    readRows(db, 'postVersions', 'postId', ids),
    readRows(db, 'engagements', 'postId', ids),
    readRows(db, 'briefs', 'postId', ids),
    readRows(db, 'factUses', 'postId', ids),
    readRows(db, 'landingExclusions', 'postId', ids),
  ]);
  const [schedulesOf, attemptsOf] = [groupBy(schedules, 'postId'), groupBy(attempts, 'postId')];
  const [versionsOf, engagementsOf] = [groupBy(versions, 'postId'), groupBy(engagements, 'postId')];
  const [briefsOf, factUsesOf] = [groupBy(briefs, 'postId'), groupBy(factUses, 'postId')];
  const exclusionsOf = groupBy(exclusions, 'postId');
  return posts.map((post) => ({
    ...post,
    schedule: schedulesOf(post.id)[0] ?? null,
    attempts: attemptsOf(post.id),
    versions: versionsOf(post.id),
    engagement: engagementsOf(post.id)[0] ?? null,
    brief: briefsOf(post.id)[0] ?? null,
    landingExclusion: exclusionsOf(post.id)[0] ?? null,
    factsUsed: factUsesOf(post.id).map(({ factId }) => factId),
  }));
}

async function withAttempts<Run extends { id: string }>(db: Db, runs: Run[]): Promise<object[]> {
  const ids = runs.map(({ id }) => id);
  const attemptsOf = groupBy(await readRows(db, 'generationAttempts', 'runId', ids), 'runId');
  return runs.map((run) => ({ ...run, attempts: attemptsOf(run.id) }));
}

/** Support requests with their replies. Notes between admins are not the user's data. */
async function withThreads<Ticket extends { id: string }>(db: Db, tickets: Ticket[]): Promise<object[]> {
  if (tickets.length === 0) return [];
  const replies = await db
    .selectFrom('supportReplies')
    .select(EXPORTED_COLUMNS.supportReplies)
    .where(
      'ticketId',
      'in',
      tickets.map(({ id }) => id),
    )
    .where('kind', '<>', 'note')
    .orderBy('createdAt')
    .execute();
  const repliesOf = groupBy(replies, 'ticketId');
  return tickets.map((ticket) => ({ ...ticket, thread: repliesOf(ticket.id) }));
}

type Pages = AsyncGenerator<object[]>;
type SingleRow = (db: Db, actor: Actor) => Promise<object | undefined>;
type List = (db: Db, actor: Actor) => Pages;

const PAGE_SIZE = 100;

type Dated = { id: string; createdAt: Date };

/** `timeColumn` is the column that the query selects as `createdAt`. */
async function* newestFirst<T extends keyof Database, Row extends Dated>(
  query: SelectQueryBuilder<Database, T, Row>,
  table: T,
  withMore: (rows: Row[]) => Promise<object[]> | object[] = (rows) => rows,
  timeColumn = 'createdAt',
): Pages {
  const [createdAt, id] = [`${table}.${timeColumn}`, `${table}.id`] as ReferenceExpression<Database, T>[];
  const ordered = query.orderBy(createdAt!, 'desc').orderBy(id!, 'desc').limit(PAGE_SIZE);
  let last: Dated | undefined;
  for (;;) {
    const isAfterLast =
      last &&
      sql<boolean>`(${sql.ref(`${table}.${timeColumn}`)}, ${sql.ref(`${table}.id`)}) < (${last.createdAt}, ${last.id})`;
    const rows = await (isAfterLast ? ordered.where(isAfterLast) : ordered).execute();
    yield await withMore(rows as Row[]);
    last = rows.at(-1) as Dated | undefined;
    if (rows.length < PAGE_SIZE) return;
  }
}

type UserTable = { [T in ExportedTable]: 'userId' extends keyof Database[T] ? T : never }[ExportedTable];
type EmailTable = { [T in ExportedTable]: 'email' extends keyof Database[T] ? T : never }[ExportedTable];

const ownRow =
  (table: UserTable): SingleRow =>
  async (db, { userId }) =>
    (await readRows<UserTable>(db, table, 'userId', [userId]))[0];

const ownRows = <T extends UserTable>(table: T, orderBy?: Column<T>): List =>
  async function* (db, { userId }) {
    yield await readRows(db, table, 'userId' as Column<T>, [userId], orderBy);
  };

const rowsOfEmail = (table: EmailTable): List =>
  async function* (db, { email }) {
    yield await readRows<EmailTable>(db, table, 'email', [email]);
  };

/** Of each of these a user has at most one. */
export const SINGLE_ROWS: Record<string, SingleRow> = {
  account: async (db, { userId }) => (await readRows(db, 'users', 'id', [userId]))[0],
  deletion: ownRow('accountDeletions'),
  disabling: ownRow('disabledAccounts'),
  linkedIn: ownRow('linkedinConnections'),
  settings: ownRow('automationSettings'),
  authenticatorApp: ownRow('authenticatorApps'),
  emailChange: ownRow('emailChanges'),
  voice: ownRow('voices'),
};

/** One at a time, because each may have megabytes. */
async function* screenshots(db: Db, { userId }: Actor): Pages {
  const own = await db
    .selectFrom('paymentScreenshots')
    .innerJoin('payments', 'payments.id', 'paymentId')
    .select('paymentId')
    .where('userId', '=', userId)
    .orderBy('paymentScreenshots.createdAt')
    .execute();
  for (const { paymentId } of own) {
    const rows = await readRows(db, 'paymentScreenshots', 'paymentId', [paymentId]);
    yield rows.map(({ bytes, ...row }) => ({ ...row, bytes: bytes.toString('base64') }));
  }
}

const ownPosts = (db: Db, { userId }: Actor, operator: 'is' | 'is not') =>
  newestFirst(
    db
      .selectFrom('posts')
      .select(EXPORTED_COLUMNS.posts)
      .where('userId', '=', userId)
      .where('deletedAt', operator, null),
    'posts',
    (posts) => withPostDetails(db, posts),
  );

/** Lists with a limit of their own are read in one query, all others in pages. */
export const ROW_LISTS: Record<string, List> = {
  sessions: ownRows('sessions'),
  signInMethods: ownRows('identities'),
  webhooks: ownRows('webhookEndpoints', 'createdAt'),
  passkeys: ownRows('passkeys', 'createdAt'),
  openSignUps: rowsOfEmail('signUps'),
  passwordResets: rowsOfEmail('passwordResets'),
  codesAskedFor: rowsOfEmail('codeRequests'),
  unwantedMails: ownRows('emailOptOuts'),
  voiceExamples: ownRows('voiceExamples'),
  topics: ownRows('topics'),
  facts: ownRows('facts'),
  payments: ownRows('payments', 'createdAt'),
  paymentRequests: ownRows('paymentRequests', 'openedAt'),
  paymentScreenshots: screenshots,
  writerCalls: ownRows('writerCalls', 'day'),
  posts: (db, actor) => ownPosts(db, actor, 'is'),
  deletedPosts: (db, actor) => ownPosts(db, actor, 'is not'),
  generationRuns: (db, { userId }) =>
    newestFirst(
      db.selectFrom('generationRuns').select(EXPORTED_COLUMNS.generationRuns).where('userId', '=', userId),
      'generationRuns',
      (runs) => withAttempts(db, runs),
    ),
  supportRequests: (db, { userId }) =>
    newestFirst(
      db.selectFrom('supportTickets').select(EXPORTED_COLUMNS.supportTickets).where('userId', '=', userId),
      'supportTickets',
      (tickets) => withThreads(db, tickets),
    ),
  mails: (db, { userId }) =>
    newestFirst(db.selectFrom('mails').select(EXPORTED_COLUMNS.mails).where('userId', '=', userId), 'mails'),
  feedback: (db, { userId }) =>
    newestFirst(
      db.selectFrom('feedback').select(EXPORTED_COLUMNS.feedback).where('userId', '=', userId),
      'feedback',
    ),
  feedbackVotes: ownRows('feedbackVotes', 'createdAt'),
  clicksInMails: (db, { userId }) =>
    newestFirst(
      db
        .selectFrom('emailClicks')
        .select(EXPORTED_COLUMNS.emailClicks)
        .select('clickedAt as createdAt')
        .where('userId', '=', userId),
      'emailClicks',
      (clicks) => clicks.map(({ createdAt: _, ...click }) => click),
      'clickedAt',
    ),
  adminActions: (db, { userId }) =>
    newestFirst(
      db.selectFrom('auditLog').select(EXPORTED_COLUMNS.auditLog).where('adminId', '=', userId),
      'auditLog',
    ),
};
