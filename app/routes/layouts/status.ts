import type { Db } from '#app/db/client.ts';
import type { ConnectionProblem } from '#app/domain/pages/shell.ts';
import { offerRenewal } from '#app/domain/payments/subscription/renewal.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatInstant } from '#app/domain/platform/dates.ts';
import { HINDRANCES } from '#app/domain/posts/failures.ts';
import { explainPause } from '#app/domain/publishing/safety/pause.ts';
import { listTopicNames } from '#app/domain/topics/topics.ts';
import { billingLine, type Line, PAYMENTS, type PageContext } from '#app/routes/payments/billing-status.ts';
import type { PageStatus } from '#app/ui/messages/status-banner.tsx';

const DASHBOARD = '/app/dashboard';
const LINKEDIN = '/app/linkedin';
const DATA = '/app/account/data';

/** Comes before all other lines, for admins too. */
function deletionLine(eraseAt: Date | null, { timeZone }: Actor, now: Date): Line | null {
  if (!eraseAt) return null;
  const line = { home: DATA, tone: 'danger', to: DATA } as const;
  const message = { title: 'Your account is being deleted', text: 'We mail you when it is done.' };
  if (eraseAt <= now) return { ...line, ...message, label: 'Your data' };
  const title = `Your account will be deleted on ${formatInstant(eraseAt, timeZone)}`;
  return { ...line, title, text: 'Until then nothing is written or published.', label: 'Undo' };
}

export const describeExpiry = (days: number) => ({
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
    return { ...CONNECTION, tone: 'warning', ...describeExpiry(trouble.days), label: 'Connect again' };
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

/** What a user with a plan has to do. */
async function ownLine(db: Db, actor: Actor, { shell, pathname }: PageContext): Promise<Line | null> {
  const { isLinkedInConnected, hasQueue, isPaused } = shell;
  const tone = 'warning';
  if (!isLinkedInConnected) {
    const isShownOnPage = pathname === LINKEDIN;
    return hasQueue && !isShownOnPage
      ? { tone, text: 'LinkedIn is not connected, so no post can go out.' }
      : null;
  }
  if (!isPaused) return null;
  // The switch needs a topic. The dashboard shows it itself.
  const hasTopics = (await listTopicNames(db, actor)).length > 0;
  if (hasTopics && pathname === DASHBOARD) return null;
  const text = 'Automation is paused, so nothing goes out by itself.';
  return { tone, text, ...(hasTopics ? HINDRANCES.turnOn : HINDRANCES.addTopics) };
}

/** The pause of all publishing, with what the user has to do. */
async function pauseLine(db: Db, actor: Actor, context: PageContext): Promise<Line | null> {
  const own = await ownLine(db, actor, context);
  const { pause, hasQueue } = context.shell;
  if (!pause || !hasQueue) return own;
  const why = explainPause(pause, actor.timeZone);
  return { tone: 'warning', ...own, text: own ? `${why} ${own.text}` : why };
}

async function listLines(db: Db, actor: Actor, context: PageContext, now: Date): Promise<Line[]> {
  const { trouble, planEndsAt } = context.shell;
  const lineFor = (kind: ConnectionProblem['kind']) =>
    trouble?.kind === kind ? connectionLine(trouble) : null;
  const [money, stop] = [await billingLine(db, actor, context, now), await pauseLine(db, actor, context)];
  const renewal = await offerRenewal(db, actor, planEndsAt, now);
  const all = [
    lineFor('missed'),
    money,
    lineFor('lost'),
    stop,
    lineFor('ending'),
    renewal && { ...renewal, home: PAYMENTS },
  ];
  return all.flatMap((line) => line ?? []);
}

/** The line above a page; null if there is none or the page shows it itself. */
export async function chooseStatus(
  db: Db,
  actor: Actor,
  context: PageContext,
  now: Date,
): Promise<PageStatus | null> {
  const leaving = deletionLine(context.shell.eraseAt, actor, now);
  const lines = leaving ? [leaving] : actor.isAdmin ? [] : await listLines(db, actor, context, now);
  if (lines.some(({ home }) => home === context.pathname)) return null;
  const line = lines.find(({ isOnlyOnHome }) => !isOnlyOnHome);
  if (!line) return null;
  const { tone, title, text, to, label } = line;
  return { tone, title, text, to, label };
}
