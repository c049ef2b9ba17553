import type { AdminStats } from '#app/domain/operations/stats.ts';
import { VERIFIED_WITHIN_HOURS } from '#app/domain/payments/limits.ts';
import { formatTime } from '#app/domain/platform/dates.ts';

const inDigits = (count: number) => count.toLocaleString('en-US');
const counted = (count: number, word: string) => `${inDigits(count)} ${word}${count === 1 ? '' : 's'}`;

/** The figures on top of the admin's page, in words. Only who has verified an address has an account. */
export function presentFigures(
  { totalUsers, adminCount, totalPosts, countedAt, ...stats }: AdminStats,
  timeZone: string,
) {
  const asOf = countedAt ? `, counted at ${formatTime(countedAt, timeZone)}` : '';
  return {
    users: {
      value: inDigits(totalUsers),
      detail: `${inDigits(totalUsers)} verified, ${counted(adminCount, 'admin')}`,
    },
    active: { value: inDigits(stats.activeSubscriptions), detail: 'plans that run now' },
    pending: {
      value: inDigits(stats.pendingPayments),
      detail: `promised within ${VERIFIED_WITHIN_HOURS} hours`,
    },
    posts:
      countedAt === null
        ? { value: '–', detail: 'Not counted yet' }
        : { value: inDigits(totalPosts), detail: `${inDigits(stats.publishedPosts)} published${asOf}` },
  };
}
