import { type NotNull, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { jsonReader } from '#app/db/json-rows.ts';
import { written } from '#app/db/written.ts';
import type { Actor } from '#app/domain/actor.ts';
import type { Timetable } from '#app/domain/automation/slots.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import type { Post } from '#app/domain/posts/posts.ts';
import { listTakenSlots } from '#app/domain/posts/rows.ts';
import { freeSlotsAfter, takenFrom } from './free-slots.ts';

const DAY_MS = 86_400_000;

/** All posts of a user that move when they are not approved by their time, soonest first. */
export const movablePostsOf = (db: Db, { userId, now }: { userId: string; now: Date }) =>
  db
    .selectFrom('deliveries')
    .innerJoin('posts', 'posts.id', 'deliveries.postId')
    .select(['posts.id', 'deliveries.dueAt as at'])
    .$narrowType<{ at: NotNull }>()
    .where('deliveries.userId', '=', userId)
    // Written out: of a value the database does not know how few have it.
    .where('deliveries.status', '=', sql.lit('pending'))
    .where('deliveries.dueAt', '>', now)
    .where('posts.approvalMovedAt', 'is', null)
    .where('posts.deletedAt', 'is', null)
    .orderBy('deliveries.dueAt')
    .orderBy('posts.id');

type Movable = { id: string; at: Date };
export const readMovablePost = jsonReader<Movable>({ at: true });

const readMovable = written(movablePostsOf);

/** What decides where posts move: `taken` from `takenFrom(now)` on. */
export type Moving = { movable: Movable[]; timetable: Timetable; taken: Set<string> };

const isMovable = ({ status, publishAt, approvalMovedAt }: Post, now: Date) =>
  status === 'pending' && publishAt !== null && publishAt > now && !approvalMovedAt;

/**
 * Where each of some posts moves that is not approved by its time, by its id, when no post of its user is: also those
 * before it that are not asked about take a free slot each.
 */
export function nextMovesOf(
  posts: Post[],
  { movable, timetable, taken }: Moving,
  now: Date,
): Map<string, Date> {
  const asked = posts.filter((post) => isMovable(post, now));
  const latest = Math.max(...asked.map(({ publishAt }) => publishAt!.getTime()));
  const pending = movable.filter(({ at }) => at.getTime() <= latest);
  const [first, last] = [pending[0], pending.at(-1)];
  if (!first || !last) return new Map();
  const days = Math.ceil((last.at.getTime() - first.at.getTime()) / DAY_MS) + 1;
  const most = pending.length + days * timetable.publishTimes.length;
  let free = freeSlotsAfter(first.at, timetable, taken).take(most).toArray();
  const moves = new Map<string, Date>();
  for (const { id, at } of pending) {
    const slot = free.find((each) => each.at > at);
    if (!slot) break;
    moves.set(id, slot.at);
    free = free.filter((each) => each !== slot);
  }
  return moves;
}

/** The same of one post. */
export async function findNextMove(
  db: Db,
  { userId }: Actor,
  post: Post,
  now: Date,
): Promise<Date | undefined> {
  if (!isMovable(post, now)) return undefined;
  const timetable = await readTimetable(db, userId, now);
  const [movable, taken] = await Promise.all([
    readMovable(db, { userId, now }),
    listTakenSlots(db, userId, takenFrom(now, timetable.timeZone)),
  ]);
  return nextMovesOf([post], { movable, timetable, taken }, now).get(post.id);
}
