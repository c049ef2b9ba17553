import { env } from '#app/env.ts';
import type { Link, MailLine, MailText } from './mail-text.ts';

/** Pages on which nothing of the address is a secret. A link that bears a key, or works without signing in, says nobody's address. */
const COUNTED = /^\/(?:app(?:\/.*)?|login|forgot-password)?$/;

/** What a link of a mail says beside where it leads: app/http/click-links.ts takes it off again as the page is served. */
export type Mailed = { address: string; kind: string; createdAt: Date };

function marked({ label, url }: Link, { address, kind, createdAt }: Mailed): Link {
  const to = URL.parse(url);
  if (to?.origin !== new URL(env().APP_URL).origin || !COUNTED.test(to.pathname)) return { label, url };
  const marks = { email: address, source: 'email', campaign: kind, ts: String(createdAt.getTime()) };
  for (const [name, value] of Object.entries(marks)) to.searchParams.set(name, value);
  return { label, url: to.href, shown: url };
}

const isLink = (line: MailLine): line is Link => typeof line === 'object' && 'url' in line;

/** A mail whose links say that they come from it, and whose it was. */
export function markLinks(mail: MailText, mailed: Mailed): MailText {
  const { lines, button } = mail;
  return {
    ...mail,
    lines: lines.map((line) => (isLink(line) ? marked(line, mailed) : line)),
    ...(button && { button: marked(button, mailed) }),
  };
}
