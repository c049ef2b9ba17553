import type { Link, MailLine, MailText } from '#app/domain/email/content.ts';
import { env } from '#app/env.ts';
import { type MailSource, trackingParams } from './link-marks.ts';

/** Links with a key, or to pages without signing in, get no parameters, because those contain the address. */
const TRACKED_PATHS = /^\/(?:app(?:\/.*)?|login|forgot-password)?$/;

function withTrackingParams({ label, url }: Link, source: MailSource): Link {
  const to = URL.parse(url);
  if (to?.origin !== new URL(env().APP_URL).origin || !TRACKED_PATHS.test(to.pathname)) return { label, url };
  for (const [name, value] of Object.entries(trackingParams(source))) to.searchParams.set(name, value);
  return { label, url: to.href, shown: url };
}

const isLink = (line: MailLine): line is Link => typeof line === 'object' && 'url' in line;

export function addTrackingParams(mail: MailText, source: MailSource): MailText {
  const { lines, button } = mail;
  return {
    ...mail,
    lines: lines.map((line) => (isLink(line) ? withTrackingParams(line, source) : line)),
    ...(button && { button: withTrackingParams(button, source) }),
  };
}
