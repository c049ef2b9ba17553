import type { Db } from '#app/db/client.ts';
import type { DayRun } from '#app/domain/writing/runs/list-for-dashboard.ts';
import { progressText, secondsLeft } from '#app/domain/writing/runs/progress.ts';
import type { ListedPost } from '#app/routes/posts/load.ts';
import type { dialogsOf } from '#app/routes/posts/load-dialogs.ts';

type OnPage = {
  posts: ListedPost[];
  dialogs?: Partial<Awaited<ReturnType<typeof dialogsOf>>>;
  isWriting?: boolean;
};

/** A page on which somebody is about to say something is not brought up to date under their hands. */
export const isMoving = ({ posts, dialogs = {}, isWriting = false }: OnPage) =>
  !Object.values(dialogs).some(Boolean) &&
  !posts.some(({ open }) => open) &&
  (isWriting ||
    posts.some(
      ({ status, isNext, putOff, dismissed }) =>
        status === 'publishing' || (dismissed !== null && (isNext || putOff?.isShort)),
    ));

/** How far the run is that is being written, but for one that fills a slot, which says so; null when none is. */
export async function presentInProgress(db: Db, run: DayRun | undefined, now: Date): Promise<string | null> {
  const isTold = run && run.status !== 'complete' && run.slotDate === null;
  return isTold ? progressText(run, await secondsLeft(db, run, now)) : null;
}
