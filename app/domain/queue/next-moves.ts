import type { NotNull } from 'kysely';
import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import type { Post } from '#app/domain/posts/posts.ts';
import { findFreeSlots } from './free-slots.ts';

const DAY_MS = 86_400_000;

/** All of a user that move when they are not approved by their time, until the last one that is asked about. */
const listMovable = (db: Db, userId: string, now: Date, last: Date) =>
  db
    .selectFrom('deliveries')
    .innerJoin('posts', 'posts.id', 'deliveries.postId')
    .select(['posts.id', 'deliveries.dueAt as at'])
    .$narrowType<{ at: NotNull }>()
    .where('deliveries.userId', '=', userId)
    .where('deliveries.status', '=', 'pending')
    .where('deliveries.dueAt', '>', now)
    .where('deliveries.dueAt', '<=', last)
    .where('posts.approvalMovedAt', 'is', null)
    .where('posts.deletedAt', 'is', null)
    .orderBy('deliveries.dueAt')
    .orderBy('posts.id')
    .execute();

/**
 * Where each of some posts moves that is not approved by its time, by its id, when no post of its user is: also those
 * before it that are not asked about take a free slot each.
 */
export async function findNextMoves(
  db: Db,
  { userId }: Actor,
  posts: Post[],
  now: Date,
): Promise<Map<string, Date>> {
  const times = posts.flatMap(({ status, publishAt, approvalMovedAt }) =>
    status === 'pending' && publishAt && publishAt > now && !approvalMovedAt ? [publishAt.getTime()] : [],
  );
  if (times.length === 0) return new Map();
  const pending = await listMovable(db, userId, now, new Date(Math.max(...times)));
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
