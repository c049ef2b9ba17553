/** `shown`: how the address reads where it is written out, when that is not the address itself. */
export type Link = { label: string; url: string; shown?: string };
/** A sentence, a text that is quoted, a link of its own, a code to type in, or facts, each behind its name. */
export type MailLine =
  | string
  | { quote: string }
  | Link
  | { code: string }
  | { facts: [name: string, value: string][] };

/** A kind of mail as data: both parts, text and HTML, are made of it. */
export type MailText = {
  subject: string;
  /** The heading of the HTML part, when it is not the subject. */
  title?: string;
  /** What a list of mails shows beside the subject, when it is not the first sentence. */
  preview?: string;
  /** The greeting first. */
  lines: MailLine[];
  button?: Link;
  /** Why its reader gets it, when it is not because of their account. */
  why?: string;
};

/** Why a mail about the product as a whole comes. */
export const TO_ADMINS = 'You get this mail because you are an admin of Tidepost.';
