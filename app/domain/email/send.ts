import { type Db, transact } from '#app/db/client.ts';
import { renderMail } from '#app/domain/email/render/render.ts';
import { type MailKind, mailText } from '#app/domain/email/templates/templates.ts';
import { markLinks } from '#app/domain/email/tracking/mark-links.ts';
import { forEachSettled } from '#app/domain/platform/for-each-settled.ts';
import { MailRefused, sendMail } from '#app/integrations/mail.ts';
import { choiceOf, unsubscribeLink } from './choices.ts';
import {
  findWaitingMail,
  listLying,
  lockWaiting,
  markMailFailed,
  markMailSent,
  type WaitingMail,
} from './outbox.ts';

/** Where mails like this one are ended; nothing for those that everybody gets. */
function unsubscribeOf({ userId, toAddress, kind }: WaitingMail): string | undefined {
  const choice = choiceOf(kind);
  return userId && choice ? unsubscribeLink({ userId, address: toAddress }, choice) : undefined;
}

/** Sends a waiting mail. Does nothing when it is out already; a temporary failure throws. */
export async function deliverMail(db: Db, mailId: string): Promise<void> {
  const mail = await findWaitingMail(db, mailId);
  if (!mail) return;
  const unsubscribe = unsubscribeOf(mail);
  const { toAddress: address, kind, createdAt } = mail;
  const text = markLinks(mailText(kind, mail.data as never), { address, kind, createdAt });
  const rendered = renderMail(text, unsubscribe);
  try {
    await sendMail({ id: mail.id, to: mail.toAddress, ...rendered, unsubscribe });
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    return markMailFailed(db, mailId, error.message);
  }
  await markMailSent(db, mailId);
}

/** Sends the mails of a kind that nobody has sent for so long, each by one process. */
export async function deliverOld(db: Db, kind: MailKind, ms: number): Promise<void> {
  await forEachSettled(await listLying(db, kind, ms), (mailId) =>
    transact(db, async (trx) => {
      if (await lockWaiting(trx, mailId)) await deliverMail(trx, mailId);
    }),
  );
}
