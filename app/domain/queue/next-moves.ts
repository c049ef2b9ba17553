import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import type { Post } from '#app/domain/posts/posts.ts';
import { findFreeSlots } from './free-slots.ts';

const DAY_MS = 86_400_000;

/** Where each of some posts moves that is not approved by its time, by its id, when none of them is. */
export async function findNextMoves(
  db: Db,
  { userId }: Actor,
  posts: Post[],
  now: Date,
): Promise<Map<string, Date>> {
  const pending = posts
    .flatMap(({ id, status, publishAt, approvalMovedAt }) =>
      status === 'pending' && publishAt && publishAt > now && !approvalMovedAt ? [{ id, at: publishAt }] : [],
    )
    .sort((a, b) => a.at.getTime() - b.at.getTime());
  const [first, last] = [pending[0], pending.at(-1)];
  if (!first || !last) return new Map();
  const timetable = await readTimetable(db, userId, now);
  const days = Math.ceil((last.at.getTime() - first.at.getTime()) / DAY_MS) + 1;
  const most = pending.length + days * timetable.publishTimes.length;
  let free = await findFreeSlots(db, userId, timetable, first.at, most);
  const moves = new Map<string, Date>();
  for (const { id, at } of pending) {
    const slot = free.find((each) => each.at > at);
    if (!slot) break;
    moves.set(id, slot.at);
    free = free.filter((each) => each !== slot);
  }
  return moves;
}
