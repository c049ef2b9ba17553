import { randomUUID } from 'node:crypto';
import { type Db, transact } from '#app/db/client.ts';
import { SignUpInput } from '#app/domain/accounts/schema.ts';
import { createSession, findSession } from '#app/domain/accounts/sessions.ts';
import { startSignUp, verifySignUp } from '#app/domain/accounts/sign-ups.ts';
import type { Actor } from '#app/domain/actor.ts';
import { findWaitingMail } from '#app/domain/email/outbox.ts';
import type { MailKind, Mails } from '#app/domain/email/templates.ts';

export const PASSWORD = 'correct horse battery';

type NewUser = { email?: string; name?: string; password?: string; timeZone?: string; isAdmin?: boolean };

/** The input of a sign-up, as the form would give it. */
export const signUpInput = ({ email, name, password, timeZone }: NewUser = {}) =>
  SignUpInput.parse({
    email: email ?? `${randomUUID()}@example.com`,
    name: name ?? 'Ada Marlow',
    password: password ?? PASSWORD,
    timeZone: timeZone ?? 'UTC',
  });

/** What the newest mails of a kind to an address say, newest first. */
export async function mailsTo<K extends MailKind>(db: Db, address: string, kind: K): Promise<Mails[K][]> {
  const rows = await db
    .selectFrom('mails')
    .select('id')
    .where('toAddress', '=', address)
    .where('kind', '=', kind)
    .orderBy('createdAt', 'desc')
    .execute();
  const mails = await Promise.all(rows.map(({ id }) => findWaitingMail(db, id)));
  return mails.flatMap((mail) => (mail ? [mail.data as Mails[K]] : []));
}

/** The code in the newest mail to an address. */
export async function codeFor(db: Db, email: string): Promise<string> {
  const [mail] = await mailsTo(db, email, 'verifyEmail');
  if (!mail) throw new Error(`No code was mailed to ${email}`);
  return mail.code;
}

/**
 * A verified user, made by signing up and entering the mailed code. In one transaction, so that no worker
 * sends the mail before it is read.
 */
export function makeUser(db: Db, options: NewUser = {}): Promise<Actor> {
  return transact(db, async (trx) => {
    const input = signUpInput(options);
    const { email } = input;
    const { signUpId } = await startSignUp(trx, input);
    const { userId } = await verifySignUp(trx, { email, otp: await codeFor(trx, email), signUpId });
    if (options.isAdmin)
      await trx.updateTable('users').set({ role: 'admin' }).where('id', '=', userId).execute();
    const { token } = await createSession(trx, userId, 'web', 'made for a test');
    return (await findSession(trx, token, 'web'))!.actor;
  });
}
