import type { Db } from '#app/db/client.ts';
import { findNextRunAt } from '#app/domain/automation/due-users.ts';
import { fitPublishTimes } from '#app/domain/automation/schema.ts';
import { localDateOf, nextTimeOfDay, type Slot, slotKey, slotsOfRun } from '#app/domain/automation/slots.ts';
import { type FullTimetable, readTimetable } from '#app/domain/automation/timetable.ts';
import { type Covered, listCovered, paidAt } from '#app/domain/payments/subscription/coverage.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { listTopicsOfSlots } from '#app/domain/posts/memory/memory.ts';
import { listTakenSlots } from '#app/domain/posts/rows.ts';
import { listWrittenSlots } from '#app/domain/queue/slots/free-slots.ts';
import { listRotation, type TopicInRotation } from '#app/domain/topics/turns.ts';
import { dayBefore, sortByTurn } from '#app/domain/writing/generate/context.ts';
import { listTries } from './attempts.ts';
import { SIDE_BY_SIDE } from './run-slots.ts';

const DAY_MS = 86_400_000;
/** So far ahead turns are worked out, in days. */
const AHEAD_DAYS = 62;
/** Posts of so many days before tell what the same slots had. */
const LOOKED_BACK_DAYS = 3;

/** Why nothing is written by itself: automation is off, or no plan is there when it would be. */
type NoTurns = 'automation_off' | 'no_plan';
export type NextTurns = {
  why: NoTurns | null;
  /** The slot for which each topic is written about next, by the id of the topic. */
  slots: Map<string, Slot>;
  /** The plan ends before turns are known for all. */
  endsWithPlan: boolean;
};

/** What changes from run to run, as far as turns go by it. */
type State = {
  /** In the order of their turns: who had one goes to the end. */
  topics: TopicInRotation[];
  /** Slots that hold a post or had one. */
  taken: Set<string>;
  topicOf: Map<string, string | null>;
  next: Map<string, Slot>;
};

/** Places that are written at once do not know of each other's slots, as in a run. */
function assignSlots(slots: Slot[], at: Date, state: State): void {
  const taken: string[] = [];
  const able = state.topics.filter(({ pausedUntil }) => pausedUntil === null || pausedUntil <= at);
  for (const slot of slots) {
    const [topic] = sortByTurn(able, taken, state.topicOf.get(slotKey(dayBefore(slot))));
    if (!topic) return;
    taken.push(topic.id);
    if (!state.next.has(topic.id)) state.next.set(topic.id, slot);
  }
  for (const [index, id] of taken.entries()) {
    const key = slotKey(slots[index]!);
    state.taken.add(key);
    state.topicOf.set(key, id);
    const topic = state.topics.find((each) => each.id === id)!;
    state.topics = [...state.topics.filter((each) => each.id !== id), topic];
  }
}

type Run = { at: Date; from: Date; ended?: Set<number> | undefined };

/** A run of the instant `at` that writes at `from` what is still to be written; nobody deals with its `ended` places. */
function write({ at, from, ended }: Run, timetable: FullTimetable, state: State): void {
  const slots = slotsOfRun(at, timetable).filter(
    (slot, index) => slot.at > from && !state.taken.has(slotKey(slot)) && !ended?.has(index),
  );
  for (let first = 0; first < slots.length; first += SIDE_BY_SIDE) {
    assignSlots(slots.slice(first, first + SIDE_BY_SIDE), from, state);
  }
}

const timetableAt = (timetable: FullTimetable, postsPerDay: number): FullTimetable => ({
  ...timetable,
  publishTimes: fitPublishTimes(timetable.publishTimes, postsPerDay).sort(),
});

/** The run of the timetable that is under way, if there is one. */
async function findUnderWay(db: Db, userId: string): Promise<{ at: Date; ended: Set<number> } | null> {
  const run = await db
    .selectFrom('generationRuns')
    .select(['id', 'scheduledFor'])
    .where('userId', '=', userId)
    .where('scheduledFor', 'is not', null)
    .where('status', '<>', 'complete')
    .orderBy('scheduledFor', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!run) return null;
  const tries = await listTries(db, run.id);
  const ended = [...tries].flatMap(([place, { isEnded }]) => (isEnded ? [place] : []));
  return { at: run.scheduledFor!, ended: new Set(ended) };
}

type Ahead = { timetable: FullTimetable; covered: Covered[]; first: Date; now: Date };

/** Writes run after run until each topic has had its turn. Answers whether the plan ended before that. */
function lookAhead({ timetable, covered, first, now }: Ahead, state: State): boolean {
  const { contentCreationTime, timeZone } = timetable;
  const last = new Date(now.getTime() + AHEAD_DAYS * DAY_MS);
  let isPaid = true;
  for (let at = first; at <= last; at = nextTimeOfDay(contentCreationTime, timeZone, at)) {
    if (state.next.size === state.topics.length) return false;
    const from = at > now ? at : now;
    const postsPerDay = paidAt(covered, from);
    isPaid = postsPerDay > 0;
    if (isPaid) write({ at, from }, timetableAt(timetable, postsPerDay), state);
  }
  return !isPaid;
}

/** When the topics of the actor have their next turns, as runs that succeed will give them. */
export async function findNextTurns(db: Db, actor: Actor, now = new Date()): Promise<NextTurns> {
  const { userId } = actor;
  const since = localDateOf(new Date(now.getTime() - LOOKED_BACK_DAYS * DAY_MS), actor.timeZone);
  const [first, underWay, timetable, covered, topics, held, written, topicOf] = await Promise.all([
    findNextRunAt(db, userId),
    findUnderWay(db, userId),
    readTimetable(db, userId, now),
    listCovered(db, userId),
    listRotation(db, userId),
    listTakenSlots(db, userId, since),
    listWrittenSlots(db, userId, now),
    listTopicsOfSlots(db, userId, since),
  ]);
  const state = { topics, taken: held.union(written), topicOf, next: new Map<string, Slot>() };
  const none = (why: NoTurns) => ({ why, slots: state.next, endsWithPlan: false });
  if (!covered.some(({ to }) => to > now)) return none('no_plan');
  if (!first) return none('automation_off');
  if (underWay) write({ ...underWay, from: now }, timetable, state);
  const endsWithPlan = lookAhead({ timetable, covered, first, now }, state);
  return { why: null, slots: state.next, endsWithPlan };
}
