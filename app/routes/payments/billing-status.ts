import type { Db } from '#app/db/client.ts';
import type { ShellState } from '#app/domain/pages/shell.ts';
import { presentPending } from '#app/domain/payments/checkout/pending-message.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate } from '#app/domain/platform/dates.ts';
import { HINDRANCES } from '#app/domain/posts/failures.ts';
import { FREE_POSTS_A_MONTH } from '#app/domain/writing/limits.ts';
import { findFreePosts, freeAgainAt } from '#app/domain/writing/quota.ts';
import type { PageStatus } from '#app/ui/messages/status-banner.tsx';

const DASHBOARD = '/app/dashboard';
export const PAYMENTS = '/app/payments';

/** `home`: the page that always shows this itself, in more detail. `isOnlyOnHome`: no other page shows it. */
export type Line = PageStatus & { home?: string; isOnlyOnHome?: boolean };
export type PageContext = { shell: ShellState; pathname: string };

export function presentFree(
  { left, unwritten }: { left: number; unwritten: number },
  { timeZone }: Actor,
  now: Date,
): string {
  const why = unwritten > 0 ? ' What was begun counts, also when no post came of it.' : '';
  if (left > 0) return `You have ${left} of ${FREE_POSTS_A_MONTH} free posts left this month.${why}`;
  const renewsOn = formatDate(freeAgainAt(now, timeZone), timeZone);
  return `Your ${FREE_POSTS_A_MONTH} free posts of this month are used; you get new ones on ${renewsOn}.${why}`;
}

const resubmitUrl = (choice: { postsPerDay: number; currencyCode: string }) =>
  `?dialog=subscribe&step=2&posts=${choice.postsPerDay}&currency=${choice.currencyCode}`;

const renewUrl = ({ postsPerDay, currencyCode }: { postsPerDay: number; currencyCode: string }) =>
  `${HINDRANCES.subscribe.to}&posts=${postsPerDay}&currency=${currencyCode}`;

export async function billingLine(
  db: Db,
  actor: Actor,
  { shell, pathname }: PageContext,
  now: Date,
): Promise<Line | null> {
  const { payment, hasActivePlan } = shell;
  if (payment?.status === 'pending') {
    const { text } = presentPending(payment, actor.timeZone, now);
    const where = { home: PAYMENTS, isOnlyOnHome: hasActivePlan, to: PAYMENTS };
    return { ...where, tone: 'warning', title: 'Payment pending', text, label: 'View Payment Status' };
  }
  if (hasActivePlan) return null;
  if (payment?.status === 'rejected') {
    const title = 'We could not verify your payment';
    const to = `${DASHBOARD}${resubmitUrl(payment)}`;
    return { home: PAYMENTS, tone: 'danger', title, text: payment.rejectReason!, to, label: 'Submit again' };
  }
  const to = HINDRANCES.subscribe.to;
  const subscribe = { tone: 'accent', title: 'No active plan', to, label: 'Subscribe' } as const;
  // The dashboard shows the free posts beside the button that writes one.
  const isShownOnPage = pathname === DASHBOARD;
  const free = isShownOnPage ? '' : `${presentFree(await findFreePosts(db, actor, now), actor, now)} `;
  const then = 'With a plan, posts go out every day.';
  if (!payment?.endsAt) return { ...subscribe, text: free + then };
  const endedText = `Your last one ended on ${formatDate(payment.endsAt, actor.timeZone)}.`;
  const renewal = { ...subscribe, home: PAYMENTS, to: renewUrl(payment) };
  if (!shell.hasQueue) return { ...renewal, text: `${endedText} ${free || then}`.trim() };
  const heldText = 'Your posts are held and keep their places; renew it, and they go on.';
  return { ...renewal, text: `${endedText} ${heldText}`, label: 'Renew' };
}
