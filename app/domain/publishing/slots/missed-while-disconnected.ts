import type { NotNull } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import type { ResumeChoice } from '#app/db/tables.ts';
import { isInactive } from '#app/domain/accounts/predicates.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { type Slot, slotOf, type Timetable } from '#app/domain/automation/slots.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import { isUserConnected } from '#app/domain/linkedin/connection.ts';
import { hasReconnectedBefore } from '#app/domain/linkedin/predicates.ts';
import { findResume, resolveResume } from '#app/domain/linkedin/resume.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { forEachSettled } from '#app/domain/platform/for-each-settled.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { unplacePost } from '#app/domain/posts/rows.ts';
import { CHOOSE_WITHIN_DAYS } from '#app/domain/publishing/limits.ts';
import { mailResumed, openingOf } from '#app/domain/publishing/mails.ts';
import { canBeChosen, waitsForChoice } from '#app/domain/publishing/predicates.ts';
import type { MissedChoice, MissedInput } from '#app/domain/publishing/schema.ts';
import { isPublishingReleased, requireReleased } from '#app/domain/publishing/state/lock-own-post.ts';
import { markUnsent } from '#app/domain/publishing/state/post-state.ts';
import { moveToFreeSlot, sendManually } from '#app/domain/publishing/state/schedule.ts';
import { findFreeSlot, findFreeSlots } from './free-slots.ts';

const CHOOSE_WITHIN_MS = CHOOSE_WITHIN_DAYS * 86_400_000;
const MAX_SHOWN = 40;

const missedPosts = (db: Db, userId: string) =>
  db
    .selectFrom('postSchedules')
    .innerJoin('posts', 'posts.id', 'postSchedules.postId')
    .where('postSchedules.userId', '=', userId)
    .where(canBeChosen)
    .orderBy('postSchedules.dueAt')
    .orderBy('posts.id');

const lockMissed = (trx: Trx, userId: string) =>
  missedPosts(trx, userId)
    .select(['posts.id', 'posts.userId', 'posts.content', 'postSchedules.dueAt'])
    .select(['posts.slotDate', 'posts.slotNumber', 'postSchedules.notBefore'])
    .$narrowType<{ dueAt: NotNull }>()
    .forUpdate(['posts', 'postSchedules'])
    .execute();
type MissedPost = Awaited<ReturnType<typeof lockMissed>>[number];

/** Returns the posts missed before LinkedIn was connected again, and until when the user can choose; null without any. */
export async function findMissed(db: Db, actor: Actor, now = new Date()) {
  const resume = await findResume(db, actor.userId);
  if (!resume?.resumedAt || resume.resumeChoice || !(await isUserConnected(db, actor.userId, now)))
    return null;
  const posts = await missedPosts(db, actor.userId)
    .select(['posts.id', 'posts.content', 'postSchedules.dueAt'])
    .$narrowType<{ dueAt: NotNull }>()
    .limit(MAX_SHOWN + 1)
    .execute();
  if (posts.length === 0) return null;
  const latest = await missedPosts(db, actor.userId)
    .clearOrderBy()
    .select('postSchedules.notBefore')
    .orderBy('postSchedules.dueAt', 'desc')
    .orderBy('posts.id', 'desc')
    .executeTakeFirst();
  return {
    asked: resume.resumedAt,
    until: new Date(resume.resumedAt.getTime() + CHOOSE_WITHIN_MS),
    posts: posts
      .slice(0, MAX_SHOWN)
      .map(({ content, ...post }) => ({ ...post, opening: openingOf(content) })),
    hasMore: posts.length > MAX_SHOWN,
    latestNotBefore: latest?.notBefore ?? null,
  };
}

const ALREADY_CHOSEN: Record<ResumeChoice, string> = {
  slots: 'You have chosen already: the missed posts took your next free times',
  latest: 'You have chosen already: the latest missed post was sent, the others took your next free times',
  discard:
    'You have chosen already: the missed posts were set aside, and are in Post History under Set aside',
  none: `The ${CHOOSE_WITHIN_DAYS} days to choose are over, so the missed posts took your next free times`,
};
const refuse = (code: string, message: string) => new Refusal(409, code, message);

/** Applies the user's choice to all missed posts. Returns their ids, in order of time. */
export async function chooseMissed(db: Db, actor: Actor, input: MissedInput, at?: Date): Promise<string[]> {
  const { userId } = actor;
  return transact(db, async (trx) => {
    await lockUser(trx, userId);
    const now = at ?? (await databaseTime(trx));
    if (!(await isUserConnected(trx, userId, now))) {
      throw refuse('linkedin_not_connected', 'Please connect LinkedIn first, then choose');
    }
    await requireReleased(
      trx,
      'Publishing is being checked, so nothing is decided about these posts now. Try again later',
    );
    const { resumedAt, resumeChoice } = (await findResume(trx, userId))!;
    if (resumedAt?.toISOString() !== input.asked) {
      throw refuse('out_of_date', 'This page is out of date. Look at the posts again, then choose');
    }
    // A choice after the three days still counts when the sweep has not run yet.
    if (resumeChoice) throw refuse('already_chosen', ALREADY_CHOSEN[resumeChoice]);
    const posts = await lockMissed(trx, userId);
    if (posts.length === 0) throw refuse('nothing_missed', 'No missed post waits any more');
    await resolveResume(trx, userId, input.choice);
    await APPLY_CHOICE[input.choice](trx, posts, now);
    return posts.map(({ id }) => id);
  });
}

const APPLY_CHOICE: Record<MissedChoice, (trx: Trx, posts: MissedPost[], now: Date) => Promise<unknown>> = {
  slots: takeNextSlots,
  latest: async (trx, posts, now) => {
    const latest = posts.at(-1)!;
    await sendManually(trx, latest.id, now);
    await takeNextSlots(trx, posts.slice(0, -1), now);
  },
  discard: async (trx, posts, now) => {
    const timetable = await readTimetable(trx, posts[0]!.userId, now);
    for (const post of posts) {
      if (upcomingSlotOf(post, timetable, now)) await unplacePost(trx, post.id);
      await markUnsent(trx, post, 'not_wanted');
    }
  },
};

/** A manual post may have a slot that is still to come, which becomes free when the post leaves it. */
function upcomingSlotOf(
  { slotDate, slotNumber }: MissedPost,
  timetable: Timetable,
  now: Date,
): Slot | undefined {
  const slot = slotDate && slotNumber ? slotOf(slotDate, slotNumber, timetable) : undefined;
  return slot && slot.at > now ? slot : undefined;
}

/** Moves the posts, in order, to the next free slots, not before their `notBefore`. */
async function takeNextSlots(trx: Trx, posts: MissedPost[], now: Date) {
  if (posts.length === 0) return [];
  const { userId } = posts[0]!;
  const timetable = await readTimetable(trx, userId, now);
  let free = await findFreeSlots(trx, userId, timetable, now, posts.length);
  const moved = [];
  for (const post of posts) {
    const { id, content, notBefore } = post;
    const isPutOff = notBefore !== null && notBefore > now;
    const slot = isPutOff ? await findFreeSlot(trx, post, timetable, now) : free[0]!;
    free = free.filter(({ date, number }) => date !== slot.date || number !== slot.number);
    await moveToFreeSlot(trx, id, slot);
    moved.push({ opening: openingOf(content), at: slot.at, timeZone: timetable.timeZone });
    const freed = upcomingSlotOf(post, timetable, now);
    if (freed) free = [...free, freed].sort((a, b) => a.at.getTime() - b.at.getTime());
  }
  return moved;
}

/**
 * Moves missed posts about which the user did not choose in time to the next free slots and mails the user. Posts that
 * came due during a pause are not held; each half of the condition has its own index.
 */
export async function releaseUnchosen(db: Db, now = new Date()): Promise<void> {
  const before = new Date(now.getTime() - CHOOSE_WITHIN_MS);
  const waiting = await db
    .selectFrom('postSchedules')
    .innerJoin('posts', 'posts.id', 'postSchedules.postId')
    .select('postSchedules.userId')
    .distinct()
    .where(({ and, eb, or }) => {
      const isHeld = eb('postSchedules.heldAt', 'is not', null);
      return or([
        isHeld,
        and([eb('postSchedules.heldAt', 'is', null), eb('postSchedules.dueAt', '<=', before)]),
      ]);
    })
    .where('postSchedules.status', '=', 'generated')
    .where(waitsForChoice)
    .where(hasReconnectedBefore('postSchedules.userId', before))
    .where(({ not }) => not(isInactive('postSchedules.userId')))
    .execute();
  await forEachSettled(waiting, ({ userId }) => transact(db, (trx) => releaseForUser(trx, userId, now)));
}

async function releaseForUser(trx: Trx, userId: string, now: Date): Promise<void> {
  await lockUser(trx, userId);
  const resume = await findResume(trx, userId);
  if (
    !resume?.resumedAt ||
    resume.resumeChoice ||
    now.getTime() - resume.resumedAt.getTime() < CHOOSE_WITHIN_MS
  )
    return;
  if (!(await isUserConnected(trx, userId, now)) || !(await isPublishingReleased(trx))) return;
  const posts = await lockMissed(trx, userId);
  if (posts.length === 0) return;
  await resolveResume(trx, userId, 'none');
  await mailResumed(trx, userId, await takeNextSlots(trx, posts, now), resume.resumedAt);
}
