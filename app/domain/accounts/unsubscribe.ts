import type { Db } from '#app/db/client.ts';
import { isChoice, isUnsubscribe, type MailChoice, optOut } from '#app/domain/email/choices.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';

export type Unsubscribe = { from: string; key: string };

const KEY = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.(\S{1,200})$/;

const invalid = () => new Refusal(404, 'link_invalid', 'This link is not valid, or not any more');

/** Throws a Refusal for a link that was not mailed to the account's current address. */
export async function openUnsubscribe(
  db: Db,
  { from, key }: Unsubscribe,
): Promise<{ userId: string; choice: MailChoice }> {
  const [, userId, signature] = KEY.exec(key) ?? [];
  if (!userId || !signature || !isChoice(from)) throw invalid();
  const user = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst();
  if (!user || !isUnsubscribe({ userId, address: user.email }, from, signature)) throw invalid();
  return { userId, choice: from };
}

export async function unsubscribe(db: Db, link: Unsubscribe): Promise<MailChoice> {
  const { userId, choice } = await openUnsubscribe(db, link);
  await optOut(db, userId, choice);
  return choice;
}
