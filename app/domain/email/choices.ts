import { sql } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import { isDisabled } from '#app/domain/accounts/predicates.ts';
import type { MailKind } from '#app/domain/email/templates/templates.ts';
import { isSigned, sign } from '#app/domain/platform/secrets.ts';
import { env } from '#app/env.ts';
import { MAIL_CHOICES } from './limits.ts';

export type MailChoice = (typeof MAIL_CHOICES)[number];

/** Essential are account security, payments, decisions, replies to the user, and what stops posts. */
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

export function choiceOf(kind: MailKind): MailChoice | undefined {
  const choice = CHOICE_OF[kind];
  return choice === 'essential' ? undefined : choice;
}

export async function listOptOuts(db: Db, userId: string): Promise<MailChoice[]> {
  const rows = await db.selectFrom('emailOptOuts').select('choice').where('userId', '=', userId).execute();
  return MAIL_CHOICES.filter((choice) => rows.some((row) => row.choice === choice));
}

/** Essential mails that ask for an action. A disabled account gets none of them, because its owner can't sign in. */
const ACTION_MAILS: readonly MailKind[] = ['planEnding', 'approvalAsked'];

async function isAccountDisabled(db: Db, userId: string): Promise<boolean> {
  const owner = await db
    .selectFrom(sql<{ id: string }>`(select ${userId}::uuid as id)`.as('owner'))
    .select(isDisabled('owner.id').as('isDisabled'))
    .executeTakeFirstOrThrow();
  return owner.isDisabled;
}

export async function isOptedOut(db: Db, userId: string | null, kind: MailKind): Promise<boolean> {
  const choice = choiceOf(kind);
  if (!userId || !(choice || ACTION_MAILS.includes(kind))) return false;
  if (choice && (await listOptOuts(db, userId)).includes(choice)) return true;
  return isAccountDisabled(db, userId);
}

export async function optOut(db: Db, userId: string, choice: MailChoice): Promise<void> {
  await db
    .insertInto('emailOptOuts')
    .values({ userId, choice })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function setMailChoices(db: Db, userId: string, wanted: readonly MailChoice[]): Promise<void> {
  await transact(db, async (trx) => {
    await trx.deleteFrom('emailOptOuts').where('userId', '=', userId).execute();
    for (const choice of MAIL_CHOICES) if (!wanted.includes(choice)) await optOut(trx, userId, choice);
  });
}

type Recipient = { userId: string; address: string };

const signedText = ({ userId, address }: Recipient, choice: MailChoice) =>
  ['unsubscribe', choice, userId, address].join('\n');

/** A link that ends mails of a choice to this recipient, without signing in (RFC 8058). */
export function unsubscribeLink(to: Recipient, choice: MailChoice): string {
  const key = `${to.userId}.${sign(signedText(to, choice))}`;
  return `${new URL('/unsubscribe', env().APP_URL)}?${new URLSearchParams({ from: choice, key })}`;
}

export const isUnsubscribe = (to: Recipient, choice: MailChoice, signature: string): boolean =>
  isSigned(signedText(to, choice), signature);
