import type { Db } from '#app/db/client.ts';
import type { ConnectionProblem } from '#app/domain/pages/shell.ts';
import { offerRenewal } from '#app/domain/payments/subscription/renewal.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatInstant } from '#app/domain/platform/dates.ts';
import { HINDRANCES } from '#app/domain/posts/failures.ts';
import { explainPause } from '#app/domain/publishing/safety/pause.ts';
import { listTopicNames } from '#app/domain/topics/topics.ts';
import { type Line, moneyLine, PAYMENTS, type PageContext } from '#app/routes/payments/billing-status.ts';
import type { PageStatus } from '#app/ui/messages/status-banner.tsx';

const DASHBOARD = '/app/dashboard';
const LINKEDIN = '/app/linkedin';
const DATA = '/app/account/data';

/** Of an account that is to be deleted, before all else, for admins too. */
function leavingLine(eraseAt: Date | null, { timeZone }: Actor, now: Date): Line | null {
  if (!eraseAt) return null;
  const line = { home: DATA, tone: 'danger', to: DATA } as const;
  const under = { title: 'Your account is being deleted', text: 'We mail you when it is done.' };
  if (eraseAt <= now) return { ...line, ...under, label: 'Your data' };
  const title = `Your account will be deleted on ${formatInstant(eraseAt, timeZone)}`;
  return { ...line, title, text: 'Until then nothing is written or published.', label: 'Undo' };
}

export const endingIn = (days: number) => ({
  title: `LinkedIn ends our permission ${days <= 1 ? 'within a day' : `in ${days} days`}`,
  text: 'Connect again before that, and no post misses its time.',
});

const CONNECTION = { home: LINKEDIN, to: LINKEDIN };

function connectionLine(trouble: ConnectionProblem): Line {
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
async function ownLine(db: Db, actor: Actor, { shell, pathname }: PageContext): Promise<Line | null> {
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
async function stopLine(db: Db, actor: Actor, known: PageContext): Promise<Line | null> {
  const own = await ownLine(db, actor, known);
  const { pause, hasQueue } = known.shell;
  if (!pause || !hasQueue) return own;
  const why = explainPause(pause, actor.timeZone);
  return { tone: 'warning', ...own, text: own ? `${why} ${own.text}` : why };
}

/** All there is to say, what matters most first. */
async function linesOf(db: Db, actor: Actor, known: PageContext, now: Date): Promise<Line[]> {
  const { trouble, planEndsAt } = known.shell;
  const when = (kind: ConnectionProblem['kind']) => (trouble?.kind === kind ? connectionLine(trouble) : null);
  const [money, stop] = [await moneyLine(db, actor, known, now), await stopLine(db, actor, known)];
  const renewal = await offerRenewal(db, actor, planEndsAt, now);
  const all = [
    when('missed'),
    money,
    when('lost'),
    stop,
    when('ending'),
    renewal && { ...renewal, home: PAYMENTS },
  ];
  return all.flatMap((line) => line ?? []);
}

/** The one line above a page; null when there is nothing to say, or the page says it itself. */
export async function chooseStatus(
  db: Db,
  actor: Actor,
  known: PageContext,
  now: Date,
): Promise<PageStatus | null> {
  const leaving = leavingLine(known.shell.eraseAt, actor, now);
  const lines = leaving ? [leaving] : actor.isAdmin ? [] : await linesOf(db, actor, known, now);
  if (lines.some(({ home }) => home === known.pathname)) return null;
  const line = lines.find(({ isOnlyThere }) => !isOnlyThere);
  if (!line) return null;
  const { tone, title, text, to, label } = line;
  return { tone, title, text, to, label };
}
