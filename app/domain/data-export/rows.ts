import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { HELD } from './columns.ts';
import { byAge, onePage, type Pages } from './pages.ts';
import { withAllOfPosts, withPlaces, withThreads } from './posts.ts';

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
    onePage(db.selectFrom('mutedMails').select(HELD.mutedMails).where('userId', '=', userId)),
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
  runs: (db, { userId }) =>
    byAge(db.selectFrom('runs').select(HELD.runs).where('userId', '=', userId), 'runs', (runs) =>
      withPlaces(db, runs),
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
