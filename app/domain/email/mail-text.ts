type Link = { label: string; url: string };
/** A sentence, a text that is quoted, or a link of its own. */
export type MailLine = string | { quote: string } | Link;
export type MailText = { subject: string; lines: MailLine[]; button?: Link };
