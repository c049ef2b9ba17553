import { sql } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import { isDisabled } from '#app/domain/accounts/predicates.ts';
import type { MailKind } from '#app/domain/email/templates/templates.ts';
import { isSigned, sign } from '#app/domain/platform/secrets.ts';
import { env } from '#app/env.ts';
import { MAIL_CHOICES } from './limits.ts';

export type MailChoice = (typeof MAIL_CHOICES)[number];

/**
 * Every kind of mail, and which choice it belongs to. Essential is what keeps an account safe, what is paid, what waits for
 * a decision of its owner, what answers a question of theirs, and what stops their posts.
 */
const CHOICE_OF: Record<MailKind, MailChoice | 'essential'> = {
  verifyEmail: 'essential',
  accountExists: 'essential',
  newDevice: 'essential',
  signInLinked: 'essential',
  signInUnlinked: 'essential',
  accountDisabled: 'essential',
  accountEnabled: 'essential',
  resetPassword: 'essential',
  passwordChanged: 'essential',
  proveOwner: 'essential',
  confirmNewEmail: 'essential',
  emailChangeBegun: 'essential',
  emailChanged: 'essential',
  deletionBegun: 'essential',
  accountKept: 'essential',
  accountDeleted: 'essential',
  twoStepChanged: 'essential',
  recoveryCodeUsed: 'essential',
  secondStepFailed: 'essential',
  proofReceived: 'essential',
  paymentToVerify: 'essential',
  paymentVerified: 'essential',
  paymentRejected: 'essential',
  planExtended: 'essential',
  planEnding: 'essential',
  planEnded: 'essential',
  linkedInExpired: 'essential',
  postFailed: 'essential',
  postUnconfirmed: 'essential',
  approvalAsked: 'essential',
  workerStopped: 'essential',
  supportAsked: 'essential',
  supportWrittenAgain: 'essential',
  supportFlood: 'essential',
  supportAnswered: 'essential',
  webhookAdded: 'essential',
  webhookDisabled: 'essential',
  postMoved: 'schedule',
  postsResumed: 'schedule',
  approvalMoved: 'schedule',
  approvalMissed: 'schedule',
  topicPaused: 'topics',
  connectLinkedIn: 'reminders',
  linkedInEnding: 'reminders',
};

export const isChoice = (name: string): name is MailChoice => MAIL_CHOICES.some((each) => each === name);

/** Which choice a mail belongs to; nothing for one that everybody gets. */
export function choiceOf(kind: MailKind): MailChoice | undefined {
  const choice = CHOICE_OF[kind];
  return choice === 'essential' ? undefined : choice;
}

/** What a user does not want to be mailed about. */
export async function listMuted(db: Db, userId: string): Promise<MailChoice[]> {
  const rows = await db.selectFrom('emailOptOuts').select('choice').where('userId', '=', userId).execute();
  return MAIL_CHOICES.filter((choice) => rows.some((row) => row.choice === choice));
}

/** Mails that ask for something cannot be switched off, but a disabled account gets none: nobody can sign in to it, and nobody is to pay for it. */
const ASKING: readonly MailKind[] = ['planEnding', 'approvalAsked'];

async function isStopped(db: Db, userId: string): Promise<boolean> {
  const { isStopped } = await db
    .selectFrom(sql<{ id: string }>`(select ${userId}::uuid as id)`.as('owner'))
    .select(isDisabled('owner.id').as('isStopped'))
    .executeTakeFirstOrThrow();
  return isStopped;
}

/** Whether a mail of this kind is not to be written to the user. */
export async function isMuted(db: Db, userId: string | null, kind: MailKind): Promise<boolean> {
  const choice = choiceOf(kind);
  if (!userId || !(choice || ASKING.includes(kind))) return false;
  if (choice && (await listMuted(db, userId)).includes(choice)) return true;
  return isStopped(db, userId);
}

export async function mute(db: Db, userId: string, choice: MailChoice): Promise<void> {
  await db
    .insertInto('emailOptOuts')
    .values({ userId, choice })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Stores what a user wants to be mailed about; all else that can be chosen is not written to them. */
export async function chooseMails(db: Db, userId: string, wanted: readonly MailChoice[]): Promise<void> {
  await transact(db, async (trx) => {
    await trx.deleteFrom('emailOptOuts').where('userId', '=', userId).execute();
    for (const choice of MAIL_CHOICES) if (!wanted.includes(choice)) await mute(trx, userId, choice);
  });
}

type Recipient = { userId: string; address: string };

const wordsOf = ({ userId, address }: Recipient, choice: MailChoice) =>
  ['unsubscribe', choice, userId, address].join('\n');

/** The address at which whoever holds it ends mails of a choice to this recipient (RFC 8058). */
export function unsubscribeLink(to: Recipient, choice: MailChoice): string {
  const key = `${to.userId}.${sign(wordsOf(to, choice))}`;
  return `${new URL('/unsubscribe', env().APP_URL)}?${new URLSearchParams({ from: choice, key })}`;
}

/** Whether a signature stood in such a link. */
export const isUnsubscribe = (to: Recipient, choice: MailChoice, signature: string): boolean =>
  isSigned(wordsOf(to, choice), signature);
