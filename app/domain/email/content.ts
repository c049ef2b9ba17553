/** `shown`: the visible URL, when it differs from `url`. */
export type Link = { label: string; url: string; shown?: string };
export type MailLine =
  | string
  | { quote: string }
  | Link
  | { code: string }
  | { facts: [name: string, value: string][] };

export type MailText = {
  subject: string;
  /** The heading of the HTML part; by default the subject. */
  title?: string;
  /** The preview text; by default the first sentence. */
  preview?: string;
  lines: MailLine[];
  button?: Link;
  /** Why the recipient gets the mail; by default because of their account. */
  why?: string;
};

export const TO_ADMINS = 'You get this mail because you are an admin of Tidepost.';
