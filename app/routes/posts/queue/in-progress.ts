import type { Db } from '#app/db/client.ts';
import type { DayRun } from '#app/domain/writing/runs/list-for-dashboard.ts';
import { progressText, secondsLeft } from '#app/domain/writing/runs/progress.ts';
import type { ListedPost } from '#app/routes/posts/load.ts';
import type { loadDialogs } from '#app/routes/posts/load-dialogs.ts';

type OnPage = {
  posts: ListedPost[];
  dialogs?: Partial<Awaited<ReturnType<typeof loadDialogs>>>;
  isWriting?: boolean;
};

/** Whether the page reloads itself to show progress. Not while a dialog or form is open: the user may be typing. */
export const shouldRefresh = ({ posts, dialogs = {}, isWriting = false }: OnPage) =>
  !Object.values(dialogs).some(Boolean) &&
  !posts.some(({ open }) => open) &&
  (isWriting ||
    posts.some(
      ({ status, isNext, putOff, dismissed }) =>
        status === 'publishing' || (dismissed !== null && (isNext || putOff?.isShort)),
    ));

/** The progress of the open run; null without one, or if it fills a slot, which shows its own progress. */
export async function presentInProgress(db: Db, run: DayRun | undefined, now: Date): Promise<string | null> {
  if (!run || run.status === 'complete' || run.slotDate !== null) return null;
  return progressText(run, await secondsLeft(db, run, now));
}
