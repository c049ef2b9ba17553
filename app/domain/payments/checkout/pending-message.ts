import { VERIFIED_WITHIN_HOURS } from '#app/domain/payments/limits.ts';
import { formatDate, formatInstant, formatTime } from '#app/domain/platform/dates.ts';
import { env } from '#app/env.ts';

const VERIFIED_WITHIN_MS = VERIFIED_WITHIN_HOURS * 3_600_000;

export function presentPending({ createdAt }: { createdAt: Date }, timeZone: string, now: Date) {
  const isToday = formatDate(createdAt, timeZone) === formatDate(now, timeZone);
  const since = (isToday ? formatTime : formatInstant)(createdAt, timeZone);
  const isLate = now.getTime() - createdAt.getTime() > VERIFIED_WITHIN_MS;
  const next = isLate
    ? `That is longer than the ${VERIFIED_WITHIN_HOURS} hours we promise. Please write to ${env().SUPPORT_EMAIL}.`
    : `It is verified within ${VERIFIED_WITHIN_HOURS} hours, and you get a mail.`;
  return { since, next, text: `Being checked since ${since}. ${next}` };
}

export function supportLink({ reference }: { reference: string }) {
  const address = env().SUPPORT_EMAIL;
  return { address, href: `mailto:${address}?subject=${encodeURIComponent(`Payment ${reference}`)}` };
}
