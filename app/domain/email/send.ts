import { type Db, transact } from '#app/db/client.ts';
import { renderMail } from '#app/domain/email/render/render.ts';
import { type MailKind, mailText } from '#app/domain/email/templates/templates.ts';
import { addTrackingParams } from '#app/domain/email/tracking/mark-links.ts';
import { forEachSettled } from '#app/domain/platform/for-each-settled.ts';
import { MailRefused, sendMail } from '#app/integrations/mail.ts';
import { choiceOf, unsubscribeLink } from './choices.ts';
import {
  findUnsentMail,
  listOverdueMails,
  lockUnsentMail,
  markMailFailed,
  markMailSent,
  type UnsentMail,
} from './outbox.ts';

function unsubscribeOf({ userId, toAddress, kind }: UnsentMail): string | undefined {
  const choice = choiceOf(kind);
  return userId && choice ? unsubscribeLink({ userId, address: toAddress }, choice) : undefined;
}

/** Sends an unsent mail. Throws on a temporary failure. */
export async function deliverMail(db: Db, mailId: string): Promise<void> {
  const mail = await findUnsentMail(db, mailId);
  if (!mail) return;
  const unsubscribe = unsubscribeOf(mail);
  const { toAddress: address, kind, createdAt } = mail;
  const text = addTrackingParams(mailText(kind, mail.data as never), { address, kind, createdAt });
  const rendered = renderMail(text, unsubscribe);
  try {
    await sendMail({ id: mail.id, to: mail.toAddress, ...rendered, unsubscribe });
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    return markMailFailed(db, mailId, error.message);
  }
  await markMailSent(db, mailId);
}

export async function deliverOverdueMails(db: Db, kind: MailKind, ms: number): Promise<void> {
  await forEachSettled(await listOverdueMails(db, kind, ms), (mailId) =>
    transact(db, async (trx) => {
      if (await lockUnsentMail(trx, mailId)) await deliverMail(trx, mailId);
    }),
  );
}
