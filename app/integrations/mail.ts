import type { Transporter } from 'nodemailer';
import { env } from '#app/env.ts';

let transport: Transporter | undefined;

/** nodemailer is loaded with the first mail, because the web process rarely sends one. */
async function openTransport(): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  transport ??= createTransport(env().SMTP_URL, {
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    dnsTimeout: 10_000,
  } as object);
  return transport;
}

/** The server permanently refuses this recipient or message (5xx). */
export class MailRefused extends Error {}

type SmtpError = { responseCode?: number; command?: string; message: string };
/** A 5xx to any other command, such as the sign-in, is for the operator to fix: then the mail can be sent. */
const MESSAGE_COMMANDS = new Set(['RCPT TO', 'DATA']);

export type OutgoingMail = {
  /** Exactly one address. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The URL for one-click unsubscription (RFC 8058). Mandatory mails have none. */
  unsubscribe?: string | undefined;
  /** Becomes the Message-ID, so that a repeated delivery can be recognised. */
  id: string;
};

const oneClick = (url: string) => ({
  'List-Unsubscribe': { prepared: true, value: `<${url}>` },
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** Sends one mail through SMTP_URL (RFC 5321). Throws MailRefused if it is refused permanently; other errors are temporary. */
export async function sendMail(mail: OutgoingMail): Promise<void> {
  const { MAIL_FROM, APP_URL } = env();
  try {
    const server = await openTransport();
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
    if (responseCode && responseCode >= 500 && MESSAGE_COMMANDS.has(command ?? ''))
      throw new MailRefused(message);
    throw error;
  }
}

/** Connects and signs in to SMTP_URL without sending a mail. Throws if that fails. */
export async function checkMail(): Promise<void> {
  const server = await openTransport();
  await server.verify();
}
