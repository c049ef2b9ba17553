import type { Db } from '#app/db/client.ts';
import { isChoice, isUnsubscribe, type MailChoice, mute } from '#app/domain/email/choices.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';

/** What a link to end mails says. */
export type Unsubscribe = { from: string; key: string };

const KEY = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.(\S{1,200})$/;

const invalid = () => new Refusal(404, 'link_invalid', 'This link is not valid, or not any more');

/** Whom a link was mailed to, and what it ends. Refuses what was not mailed to the address that the account has now. */
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

/** Ends the mails that the link is about. Another time is no harm. */
export async function unsubscribe(db: Db, link: Unsubscribe): Promise<MailChoice> {
  const { userId, choice } = await openUnsubscribe(db, link);
  await mute(db, userId, choice);
  return choice;
}
