import type { Transporter } from 'nodemailer';
import { env } from '#app/env.ts';

let transport: Transporter | undefined;

/** The web mails nearly never: what speaks SMTP is loaded with the first mail. */
async function open(): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  transport ??= createTransport(env().SMTP_URL, {
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    dnsTimeout: 10_000,
  } as object);
  return transport;
}

/** The server refuses this recipient or text for good (5xx); sending it again would be refused again. */
export class MailRefused extends Error {}

type SmtpError = { responseCode?: number; command?: string; message: string };
/** A refused sign-in or sender is the operator's to mend, and then the mail can go out. */
const ABOUT_THIS_MAIL = new Set(['RCPT TO', 'DATA']);

export type OutgoingMail = {
  /** Exactly one address. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Where one press ends mails like this one (RFC 8058); none for those that everybody gets. */
  unsubscribe?: string | undefined;
  /** Stable for one mail, so that a second delivery of it can be recognised. */
  id: string;
};

const oneClick = (url: string) => ({
  'List-Unsubscribe': { prepared: true, value: `<${url}>` },
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/**
 * Sends one mail through SMTP_URL (RFC 5321). Resolves when the server has accepted it, throws MailRefused
 * on a permanent answer and any other error on a temporary one.
 */
export async function sendMail(mail: OutgoingMail): Promise<void> {
  const { MAIL_FROM, APP_URL } = env();
  try {
    const server = await open();
    await server.sendMail({
      from: MAIL_FROM,
      to: { name: '', address: mail.to },
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      headers: mail.unsubscribe ? oneClick(mail.unsubscribe) : {},
      messageId: `<${mail.id}@${new URL(APP_URL).hostname}>`,
    });
  } catch (error) {
    const { responseCode, command, message } = error as SmtpError;
    if (responseCode && responseCode >= 500 && ABOUT_THIS_MAIL.has(command ?? ''))
      throw new MailRefused(message);
    throw error;
  }
}

/** Connects to SMTP_URL, greets and signs in as for a mail, and sends none. Throws what the server or the way to it says. */
export async function checkMail(): Promise<void> {
  const server = await open();
  await server.verify();
}
