import type { Db } from '#app/db/client.ts';
import { findNextRunAt } from '#app/domain/automation/due-users.ts';
import { fitPublishTimes } from '#app/domain/automation/schema.ts';
import { localDateOf, nextTimeOfDay, type Slot, slotKey, slotsOfRun } from '#app/domain/automation/slots.ts';
import { type FullTimetable, readTimetable } from '#app/domain/automation/timetable.ts';
import { type Covered, listCovered, paidAt } from '#app/domain/payments/subscription/coverage.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { listTopicsOfSlots } from '#app/domain/posts/memory/memory.ts';
import { listTakenSlots } from '#app/domain/posts/rows.ts';
import { listWrittenSlots } from '#app/domain/publishing/slots/free-slots.ts';
import { listRotation, type TopicInRotation } from '#app/domain/topics/turns.ts';
import { dayBefore, sortByTurn } from '#app/domain/writing/generate/context.ts';
import { listAttempts } from './attempts.ts';
import { CONCURRENT_POSTS } from './run-slots.ts';

const DAY_MS = 86_400_000;
const AHEAD_DAYS = 62;
/** A topic does not follow itself in the same slot, so the posts of the last days are read. */
const LOOKED_BACK_DAYS = 3;

type NoTurns = 'automation_off' | 'no_plan';
export type NextTurns = {
  why: NoTurns | null;
  slots: Map<string, Slot>;
  /** The plan ends before each topic has had a turn. */
  endsWithPlan: boolean;
};

type Simulation = {
  /** In the order of their turns. A topic that had one moves to the end. */
  topics: TopicInRotation[];
  taken: Set<string>;
  topicOf: Map<string, string | null>;
  next: Map<string, Slot>;
};

/** Assigns topics to slots that are written at the same time. As in a run, these do not see each other's topics. */
function assignSlots(slots: Slot[], at: Date, state: Simulation): void {
  const assigned: string[] = [];
  const active = state.topics.filter(({ pausedUntil }) => pausedUntil === null || pausedUntil <= at);
  for (const slot of slots) {
    const [topic] = sortByTurn(active, assigned, state.topicOf.get(slotKey(dayBefore(slot))));
    if (!topic) return;
    assigned.push(topic.id);
    if (!state.next.has(topic.id)) state.next.set(topic.id, slot);
  }
  for (const [index, id] of assigned.entries()) {
    const key = slotKey(slots[index]!);
    state.taken.add(key);
    state.topicOf.set(key, id);
    const topic = state.topics.find((each) => each.id === id)!;
    state.topics = [...state.topics.filter((each) => each.id !== id), topic];
  }
}

type Run = { at: Date; from: Date; ended?: Set<number> | undefined };

/** Simulates the run scheduled `at` that writes its open items at `from`. `ended`: the positions of ended items. */
function simulateRun({ at, from, ended }: Run, timetable: FullTimetable, state: Simulation): void {
  const slots = slotsOfRun(at, timetable).filter(
    (slot, position) => slot.at > from && !state.taken.has(slotKey(slot)) && !ended?.has(position),
  );
  for (let first = 0; first < slots.length; first += CONCURRENT_POSTS) {
    assignSlots(slots.slice(first, first + CONCURRENT_POSTS), from, state);
  }
}

const timetableAt = (timetable: FullTimetable, postsPerDay: number): FullTimetable => ({
  ...timetable,
  publishTimes: fitPublishTimes(timetable.publishTimes, postsPerDay).sort(),
});

async function findUnfinished(db: Db, userId: string): Promise<{ at: Date; ended: Set<number> } | null> {
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
  const attempts = await listAttempts(db, run.id);
  const ended = [...attempts].flatMap(([position, { isEnded }]) => (isEnded ? [position] : []));
  return { at: run.scheduledFor!, ended: new Set(ended) };
}

type Outlook = { timetable: FullTimetable; covered: Covered[]; first: Date; now: Date };

/** Simulates runs until each topic has had its turn. Returns whether the plan ends before that. */
function simulateRuns({ timetable, covered, first, now }: Outlook, state: Simulation): boolean {
  const { contentCreationTime, timeZone } = timetable;
  const last = new Date(now.getTime() + AHEAD_DAYS * DAY_MS);
  let isPaid = true;
  for (let at = first; at <= last; at = nextTimeOfDay(contentCreationTime, timeZone, at)) {
    if (state.next.size === state.topics.length) return false;
    const from = at > now ? at : now;
    const postsPerDay = paidAt(covered, from);
    isPaid = postsPerDay > 0;
    if (isPaid) simulateRun({ at, from }, timetableAt(timetable, postsPerDay), state);
  }
  return !isPaid;
}

/** Returns the next slot of each topic, assuming that all runs succeed. */
export async function findNextTurns(db: Db, actor: Actor, now = new Date()): Promise<NextTurns> {
  const { userId } = actor;
  const since = localDateOf(new Date(now.getTime() - LOOKED_BACK_DAYS * DAY_MS), actor.timeZone);
  const [first, unfinished, timetable, covered, topics, taken, written, topicOf] = await Promise.all([
    findNextRunAt(db, userId),
    findUnfinished(db, userId),
    readTimetable(db, userId, now),
    listCovered(db, userId),
    listRotation(db, userId),
    listTakenSlots(db, userId, since),
    listWrittenSlots(db, userId, now),
    listTopicsOfSlots(db, userId, since),
  ]);
  const state = { topics, taken: taken.union(written), topicOf, next: new Map<string, Slot>() };
  const none = (why: NoTurns) => ({ why, slots: state.next, endsWithPlan: false });
  if (!covered.some(({ to }) => to > now)) return none('no_plan');
  if (!first) return none('automation_off');
  if (unfinished) simulateRun({ ...unfinished, from: now }, timetable, state);
  const endsWithPlan = simulateRuns({ timetable, covered, first, now }, state);
  return { why: null, slots: state.next, endsWithPlan };
}
