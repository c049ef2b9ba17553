import { type NotNull, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import { jsonReader } from '#app/db/json-rows.ts';
import type { Timetable } from '#app/domain/automation/slots.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import type { Post } from '#app/domain/posts/lists/post.ts';
import { listTakenSlots } from '#app/domain/posts/rows.ts';
import { freeSlotsAfter, takenFrom } from './free-slots.ts';

const DAY_MS = 86_400_000;

/** Selects the posts of a user that move to another slot if they are not approved in time, soonest first. */
export const movablePostsOf = (db: Db, { userId, now }: { userId: string; now: Date }) =>
  db
    .selectFrom('postSchedules')
    .innerJoin('posts', 'posts.id', 'postSchedules.postId')
    .select(['posts.id', 'postSchedules.dueAt as at'])
    .$narrowType<{ at: NotNull }>()
    .where('postSchedules.userId', '=', userId)
    // A literal: with a parameter Postgres cannot tell how few rows have this status.
    .where('postSchedules.status', '=', sql.lit('pending'))
    .where('postSchedules.dueAt', '>', now)
    .where('posts.approvalMovedAt', 'is', null)
    .where('posts.deletedAt', 'is', null)
    .orderBy('postSchedules.dueAt')
    .orderBy('posts.id');

type MovablePost = { id: string; at: Date };
export const readMovablePost = jsonReader<MovablePost>({ at: true });

const readMovablePosts = compiledQuery(movablePostsOf);

/** What decides where unapproved posts move. `taken` has the slots from `takenFrom(now)` on. */
export type Moving = { movable: MovablePost[]; timetable: Timetable; taken: Set<string> };

const isMovable = ({ status, publishAt, approvalMovedAt }: Post, now: Date) =>
  status === 'pending' && publishAt !== null && publishAt > now && !approvalMovedAt;

/**
 * Returns, by post id, when each of `posts` would go out if no pending post of its user were approved in time. Posts
 * that are due before it move first and take a free slot each, whether or not they are among `posts`.
 */
export function nextMovesOf(
  posts: Post[],
  { movable, timetable, taken }: Moving,
  now: Date,
): Map<string, Date> {
  const moving = posts.filter((post) => isMovable(post, now));
  const latest = Math.max(...moving.map(({ publishAt }) => publishAt!.getTime()));
  const pending = movable.filter(({ at }) => at.getTime() <= latest);
  const [first, last] = [pending[0], pending.at(-1)];
  if (!first || !last) return new Map();
  const days = Math.ceil((last.at.getTime() - first.at.getTime()) / DAY_MS) + 1;
  const max = pending.length + days * timetable.publishTimes.length;
  let free = freeSlotsAfter(first.at, timetable, taken).take(max).toArray();
  const moves = new Map<string, Date>();
  for (const { id, at } of pending) {
    const slot = free.find((each) => each.at > at);
    if (!slot) break;
    moves.set(id, slot.at);
    free = free.filter((each) => each !== slot);
  }
  return moves;
}

/** Like `nextMovesOf`, for one post; undefined if it does not move. */
export async function findNextMove(
  db: Db,
  { userId }: Actor,
  post: Post,
  now: Date,
): Promise<Date | undefined> {
  if (!isMovable(post, now)) return undefined;
  const timetable = await readTimetable(db, userId, now);
  const [movable, taken] = await Promise.all([
    readMovablePosts(db, { userId, now }),
    listTakenSlots(db, userId, takenFrom(now, timetable.timeZone)),
  ]);
  return nextMovesOf([post], { movable, timetable, taken }, now).get(post.id);
}
