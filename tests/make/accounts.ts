import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { hashPassword } from '#app/domain/accounts/password/password.ts';
import { SignUpInput } from '#app/domain/accounts/schema.ts';
import { findUnsentMail } from '#app/domain/email/outbox.ts';
import type { MailKind, Mails } from '#app/domain/email/templates/templates.ts';
import type { Actor } from '#app/domain/platform/actor.ts';

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
  const mails = await Promise.all(rows.map(({ id }) => findUnsentMail(db, id)));
  return mails.flatMap((mail) => (mail ? [mail.data as Mails[K]] : []));
}

/** What was asked for before was asked for a minute earlier: another code can be sent to the address. */
export async function aMinuteLater(db: Db, email: string): Promise<void> {
  const set = sql<Date>`requested_at - interval '61 seconds'`;
  await db.updateTable('codeRequests').set({ requestedAt: set }).where('email', '=', email).execute();
}

/** The code in the newest mail to an address. */
export async function codeFor(
  db: Db,
  email: string,
  kind: 'verifyEmail' | 'resetPassword' | 'proveOwner' | 'confirmNewEmail' = 'verifyEmail',
): Promise<string> {
  const [mail] = await mailsTo(db, email, kind);
  if (!mail) throw new Error(`No code was mailed to ${email}`);
  return mail.code;
}

/** Hashing takes longer than all else of making a user: each password once, and the usual one not at all. */
const hashes = new Map<string, Promise<string>>([
  [
    PASSWORD,
    Promise.resolve(
      '$argon2id$v=19$m=32768,t=8,p=1$+AmG8XAZ7PZRtXpMR7e1DA$P4fOMzPoCJNu958eoh189tDxaBCSxB9+iKacBc0HsXY',
    ),
  ],
]);

function hashOf(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, hash);
  return hash;
}

/** The usual password by costs of old: a guess at it costs next to nothing, until a right sign-in brings it up to date. */
export const cheapHash = () => hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 });

/** A verified user, as signing up and entering the mailed code makes one. */
export async function makeUser(db: Db, options: NewUser = {}): Promise<Actor> {
  const { email, name, password, timeZone } = signUpInput(options);
  const { isAdmin = false } = options;
  const passwordHash = await hashOf(password);
  const { id } = await db
    .insertInto('users')
    .values({ email, name, timeZone, role: isAdmin ? 'admin' : 'user', passwordHash, verifiedAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { userId: id, name, email, isAdmin, timeZone };
}
