import { type Db, transact } from '#app/db/client.ts';
import { eachAlone } from '#app/domain/each-alone.ts';
import { MailRefused, sendMail } from '#app/integrations/mail.ts';
import type { MailLine, MailText } from './mail-text.ts';
import { findWaitingMail, listLying, lockWaiting, markMailFailed, markMailSent } from './outbox.ts';
import { type MailKind, mailText } from './templates.ts';

const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);

const inHtml = (text: string) => escapeHtml(text).replaceAll('\n', '<br>');

function htmlOf(line: MailLine): string {
  if (typeof line === 'string') return `<p style="margin:0 0 16px">${inHtml(line)}</p>`;
  if ('quote' in line)
    return `<blockquote style="margin:0 0 16px;padding:12px 16px;border-left:3px solid #03657d;background:#f7fafb;overflow-wrap:anywhere" dir="auto">${inHtml(line.quote)}</blockquote>`;
  return `<p style="margin:0 0 24px"><a href="${escapeHtml(line.url)}" style="color:#03657d;font-weight:600">${escapeHtml(line.label)}</a></p>`;
}

function plainOf(line: MailLine): string {
  if (typeof line === 'string') return line;
  return 'quote' in line ? line.quote.replaceAll(/^/gm, '    ') : `${line.label}: ${line.url}`;
}

function renderHtml({ lines, button }: MailText): string {
  const link = button
    ? `<p style="margin:24px 0"><a href="${escapeHtml(button.url)}" style="background:#03657d;color:#fff;padding:12px 20px;border-radius:10px;text-decoration:none;font-weight:600">${escapeHtml(button.label)}</a></p>`
    : '';
  const body = lines.map(htmlOf).join('');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head><body style="margin:0;padding:12px;background:#f7fafb;color:#13222d;font:16px/1.5 system-ui,sans-serif"><div style="max-width:560px;margin:0 auto;padding:24px;background:#fff;border-radius:16px;overflow-wrap:anywhere"><p style="margin:0 0 24px;font:600 20px Georgia,serif;color:#03657d">Tidepost</p>${body}${link}</div></body></html>`;
}

function renderText({ lines, button }: MailText): string {
  return [...lines, ...(button ? [button] : [])].map(plainOf).join('\n\n');
}

/** Sends a waiting mail. Does nothing when it is out already; a temporary failure throws. */
export async function deliverMail(db: Db, mailId: string): Promise<void> {
  const mail = await findWaitingMail(db, mailId);
  if (!mail) return;
  const text = mailText(mail.kind, mail.data as never);
  try {
    await sendMail({
      id: mail.id,
      to: mail.toAddress,
      subject: text.subject,
      text: renderText(text),
      html: renderHtml(text),
    });
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    return markMailFailed(db, mailId, error.message);
  }
  await markMailSent(db, mailId);
}

/** Sends the mails of a kind that nobody has sent for so long, each by one process. */
export async function deliverOld(db: Db, kind: MailKind, ms: number): Promise<void> {
  await eachAlone(await listLying(db, kind, ms), (mailId) =>
    transact(db, async (trx) => {
      if (await lockWaiting(trx, mailId)) await deliverMail(trx, mailId);
    }),
  );
}
