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

/** `home`: the page that says it itself, with more, whatever else there is. `isOnlyThere`: no other page says it. */
export type Line = PageStatus & { home?: string; isOnlyThere?: boolean };
/** What is known of the reader of a page, and which page it is. */
export type PageContext = { shell: ShellState; pathname: string };

/** How many posts can be written without a plan, or when there are more. */
export function presentFree(
  { left, inVain }: { left: number; inVain: number },
  { timeZone }: Actor,
  now: Date,
): string {
  const why = inVain > 0 ? ' What was begun counts, also when no post came of it.' : '';
  if (left > 0) return `You have ${left} of ${FREE_POSTS_A_MONTH} free posts left this month.${why}`;
  const again = formatDate(freeAgainAt(now, timeZone), timeZone);
  return `Your ${FREE_POSTS_A_MONTH} free posts of this month are used; you get new ones on ${again}.${why}`;
}

/** The address that opens the payment of a choice again. */
const submitAgain = (choice: { postsPerDay: number; currencyCode: string }) =>
  `?dialog=subscribe&step=2&posts=${choice.postsPerDay}&currency=${choice.currencyCode}`;

/** Where the plan that has ended is bought again. */
const sameAgain = ({ postsPerDay, currencyCode }: { postsPerDay: number; currencyCode: string }) =>
  `${HINDRANCES.subscribe.to}&posts=${postsPerDay}&currency=${currencyCode}`;

/** How it stands with what was paid for. */
export async function moneyLine(
  db: Db,
  actor: Actor,
  { shell, pathname }: PageContext,
  now: Date,
): Promise<Line | null> {
  const { payment, hasActivePlan } = shell;
  if (payment?.status === 'pending') {
    const { text } = presentPending(payment, actor.timeZone, now);
    const where = { home: PAYMENTS, isOnlyThere: hasActivePlan, to: PAYMENTS };
    return { ...where, tone: 'warning', title: 'Payment pending', text, label: 'View Payment Status' };
  }
  if (hasActivePlan) return null;
  if (payment?.status === 'rejected') {
    const title = 'We could not verify your payment';
    const to = `${DASHBOARD}${submitAgain(payment)}`;
    return { home: PAYMENTS, tone: 'danger', title, text: payment.rejectReason!, to, label: 'Submit again' };
  }
  const to = HINDRANCES.subscribe.to;
  const call = { tone: 'accent', title: 'No active plan', to, label: 'Subscribe' } as const;
  // The dashboard says it beside the button that writes one.
  const isSaid = pathname === DASHBOARD;
  const free = isSaid ? '' : `${presentFree(await findFreePosts(db, actor, now), actor, now)} `;
  const then = 'With a plan, posts go out every day.';
  if (!payment?.endsAt) return { ...call, text: free + then };
  const ended = `Your last one ended on ${formatDate(payment.endsAt, actor.timeZone)}.`;
  const again = { ...call, home: PAYMENTS, to: sameAgain(payment) };
  if (!shell.hasQueue) return { ...again, text: `${ended} ${free || then}`.trim() };
  const held = 'Your posts are held and keep their places; renew it, and they go on.';
  return { ...again, text: `${ended} ${held}`, label: 'Renew' };
}
