import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { formatDate } from '#app/domain/dates.ts';
import { describeChecking } from '#app/domain/payments/being-checked.ts';
import { HINDRANCES } from '#app/domain/posts/failures.ts';
import { explainPause, type Pause } from '#app/domain/publishing/pause.ts';
import type { ConnectionTrouble, ShellState } from '#app/domain/shell-state.ts';
import { listTopicNames } from '#app/domain/topics/topics.ts';
import { findFreePosts, freeAgainAt } from '#app/domain/writing/allowance.ts';
import { FREE_POSTS_A_MONTH } from '#app/domain/writing/limits.ts';
import type { PageStatus } from '#app/ui/status-banner.tsx';

const DASHBOARD = '/app/dashboard';
const PAYMENTS = '/app/payments';
const LINKEDIN = '/app/linkedin';

/** `home`: the page that says it itself, with more, whatever else there is. `isOnlyThere`: no other page says it. */
type Line = PageStatus & { home?: string; isOnlyThere?: boolean };
type Known = { shell: ShellState; pause: Pause | undefined; pathname: string };

/** How many posts can be written without a plan, or when there are more. */
export function describeFree(
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
export const submitAgain = (choice: { postsPerDay: number; currencyCode: string }) =>
  `?dialog=subscribe&step=2&posts=${choice.postsPerDay}&currency=${choice.currencyCode}`;

async function moneyLine(db: Db, actor: Actor, { shell, pathname }: Known, now: Date): Promise<Line | null> {
  const { payment, hasActivePlan } = shell;
  if (payment?.status === 'pending') {
    const { text } = describeChecking(payment, actor.timeZone, now);
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
  const free = isSaid ? '' : `${describeFree(await findFreePosts(db, actor, now), actor, now)} `;
  const then = 'With a plan, posts go out every day.';
  if (!payment?.endsAt) return { ...call, text: free + then };
  const ended = `Your last one ended on ${formatDate(payment.endsAt, actor.timeZone)}.`;
  return { ...call, home: PAYMENTS, text: `${ended} ${free || then}`.trim() };
}

export const endingIn = (days: number) => ({
  title: `LinkedIn ends our permission ${days <= 1 ? 'within a day' : `in ${days} days`}`,
  text: 'Connect again before that, and no post misses its time.',
});

const CONNECTION = { home: LINKEDIN, to: LINKEDIN };

function connectionLine(trouble: ConnectionTrouble): Line {
  if (trouble.kind === 'lost') {
    const why = trouble.isOver
      ? 'Its permission to post for you has ended.'
      : 'It no longer accepts our permission to post for you.';
    const text = `${why} Your posts are held and keep their places.`;
    return { ...CONNECTION, tone: 'danger', title: 'LinkedIn is no longer connected', text };
  }
  if (trouble.kind === 'ending')
    return { ...CONNECTION, tone: 'warning', ...endingIn(trouble.days), label: 'Connect again' };
  const one = 'Its time passed before LinkedIn was connected. It waits until you choose.';
  const several = 'Their time passed before LinkedIn was connected. They wait until you choose.';
  return {
    ...CONNECTION,
    tone: 'warning',
    title: trouble.isOne ? 'A post was missed' : 'Posts were missed',
    text: trouble.isOne ? one : several,
    label: `Choose what becomes of ${trouble.isOne ? 'it' : 'them'}`,
  };
}

/** What somebody with a plan has not seen to. */
async function ownLine(db: Db, actor: Actor, { shell, pathname }: Known): Promise<Line | null> {
  const { isLinkedInConnected, hasQueue, isPaused } = shell;
  const tone = 'warning';
  if (!isLinkedInConnected) {
    const isSaid = pathname === LINKEDIN;
    return hasQueue && !isSaid ? { tone, text: 'LinkedIn is not connected, so no post can go out.' } : null;
  }
  if (!isPaused) return null;
  // The switch shows once there is a topic; the dashboard has it itself.
  const hasTopics = (await listTopicNames(db, actor)).length > 0;
  if (hasTopics && pathname === DASHBOARD) return null;
  const text = 'Automation is paused, so nothing goes out by itself.';
  return { tone, text, ...(hasTopics ? HINDRANCES.turnOn : HINDRANCES.addTopics) };
}

/** A stop for everybody, with what its reader has to see to. */
async function stopLine(db: Db, actor: Actor, known: Known): Promise<Line | null> {
  const own = await ownLine(db, actor, known);
  if (!known.pause || !known.shell.hasQueue) return own;
  const why = explainPause(known.pause, actor.timeZone);
  return { tone: 'warning', ...own, text: own ? `${why} ${own.text}` : why };
}

/** All there is to say, what matters most first. */
async function linesOf(db: Db, actor: Actor, known: Known, now: Date): Promise<Line[]> {
  const { trouble } = known.shell;
  const when = (kind: ConnectionTrouble['kind']) => (trouble?.kind === kind ? connectionLine(trouble) : null);
  const [money, stop] = [await moneyLine(db, actor, known, now), await stopLine(db, actor, known)];
  const all = [when('missed'), money, when('lost'), stop, when('ending')];
  return all.flatMap((line) => line ?? []);
}

/** The one line above a page; null when there is nothing to say, or the page says it itself. */
export async function chooseStatus(
  db: Db,
  actor: Actor,
  known: Known,
  now: Date,
): Promise<PageStatus | null> {
  const lines = await linesOf(db, actor, known, now);
  if (lines.some(({ home }) => home === known.pathname)) return null;
  const line = lines.find(({ isOnlyThere }) => !isOnlyThere);
  if (!line) return null;
  const { tone, title, text, to, label } = line;
  return { tone, title, text, to, label };
}
