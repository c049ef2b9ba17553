import type { AdminStats } from '#app/domain/operations/stats.ts';
import { VERIFIED_WITHIN_HOURS } from '#app/domain/payments/limits.ts';
import { formatTime } from '#app/domain/platform/dates.ts';
import { formatCount, pluralize } from '#app/ui/text.ts';

/** An account exists only once its email address is verified. */
export function presentFigures(
  { totalUsers, adminCount, totalPosts, countedAt, ...stats }: AdminStats,
  timeZone: string,
) {
  const asOf = countedAt ? `, counted at ${formatTime(countedAt, timeZone)}` : '';
  return {
    users: {
      value: formatCount(totalUsers),
      detail: `${formatCount(totalUsers)} verified, ${pluralize(adminCount, 'admin')}`,
    },
    active: { value: formatCount(stats.activeSubscriptions), detail: 'plans that run now' },
    pending: {
      value: formatCount(stats.pendingPayments),
      detail: `promised within ${VERIFIED_WITHIN_HOURS} hours`,
    },
    posts:
      countedAt === null
        ? { value: '–', detail: 'Not counted yet' }
        : { value: formatCount(totalPosts), detail: `${formatCount(stats.publishedPosts)} published${asOf}` },
  };
}
