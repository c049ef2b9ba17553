import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { localDayOf } from '#app/domain/automation/slots.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import type { Post } from '#app/domain/posts/posts.ts';
import { readAgenda } from '#app/domain/queue/agenda.ts';
import { listFilling } from '#app/domain/writing/fill-slot.ts';
import { describeEntry, type EntryView } from './describe-entry.ts';
import type { Standing } from './holds.ts';

/** So far ahead open slots stand between the posts. */
const AHEAD_MS = 7 * 86_400_000;

/** The slots without a post on the days of some posts that wait, while automation could fill them. */
export async function listOpenSlots(
  db: Db,
  actor: Actor,
  posts: Post[],
  standing: Standing,
  now: Date,
): Promise<EntryView[]> {
  const { timeZone } = actor;
  const latest = Math.max(...posts.flatMap(({ publishAt }) => publishAt?.getTime() ?? []));
  const { planEndsAt } = standing;
  if (!planEndsAt || latest < now.getTime()) return [];
  const last = new Date(Math.min(latest, now.getTime() + AHEAD_MS));
  const { end } = localDayOf(last, timeZone);
  const span = { from: now, to: end < planEndsAt ? end : planEndsAt };
  const timetable = await readTimetable(db, actor.userId, now);
  const [entries, filling] = await Promise.all([
    readAgenda(db, actor, timetable, span, now),
    listFilling(db, actor, timetable, now),
  ]);
  const around = { timeZone, now, standing, filling, movesTo: new Map() };
  return entries
    .filter(({ kind }) => kind === 'open')
    .map((entry) => describeEntry(entry, { ...around, paidAt: () => 0, whyUnwritten: () => null }));
}
