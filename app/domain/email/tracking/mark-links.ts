import type { Link, MailLine, MailText } from '#app/domain/email/content.ts';
import { env } from '#app/env.ts';
import { type Mailed, marksOf } from './link-marks.ts';

/** Pages on which nothing of the address is a secret. A link that bears a key, or works without signing in, says nobody's address. */
const COUNTED = /^\/(?:app(?:\/.*)?|login|forgot-password)?$/;

function marked({ label, url }: Link, mailed: Mailed): Link {
  const to = URL.parse(url);
  if (to?.origin !== new URL(env().APP_URL).origin || !COUNTED.test(to.pathname)) return { label, url };
  for (const [name, value] of Object.entries(marksOf(mailed))) to.searchParams.set(name, value);
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
