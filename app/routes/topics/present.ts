import { localDateOf } from '#app/domain/automation/slots.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate, formatInstant, nameDay } from '#app/domain/platform/dates.ts';
import type { WaitingCounts } from '#app/domain/publishing/slots/waiting-posts.ts';
import { pauseDays } from '#app/domain/topics/pauses.ts';
import type { Topic } from '#app/domain/topics/topics.ts';
import type { TopicRun } from '#app/domain/writing/runs/list-by-topic.ts';
import type { NextTurns } from '#app/domain/writing/runs/upcoming-topics.ts';

const WEEK_DAYS = 7;

/** A day within a sentence, with its instant and as a form names it. */
export function nameDayOf(at: Date, { timeZone }: Actor, now: Date) {
  const date = localDateOf(at, timeZone);
  const name = nameDay(date, localDateOf(now, timeZone));
  return { date, iso: at.toISOString(), text: /^To/.test(name) ? name.toLowerCase() : name };
}

/** When it is written about next, or in a sentence why that is not known. */
function nextOf({ id, isActive, isPaused, pausedUntil }: Topic, turns: NextTurns, { timeZone }: Actor) {
  if (!isActive || (isPaused && !pausedUntil) || turns.why) return null;
  const slot = turns.slots.get(id);
  if (slot) return { at: { iso: slot.at.toISOString(), text: formatInstant(slot.at, timeZone) }, why: null };
  return { at: null, why: turns.endsWithPlan ? 'No turn before your plan ends' : 'Its turn is far ahead' };
}

type PresentInput = {
  turns: NextTurns;
  waiting: Map<string, WaitingCounts>;
  facts: Map<string | null, number>;
  runs: Map<string, TopicRun>;
  /** Somebody without a plan has no free post left otherwise. */
  canWrite: boolean;
};

export type TopicView = ReturnType<typeof presentTopic>;

export function presentTopic(topic: Topic, known: PresentInput, actor: Actor, now: Date) {
  const { createdAt: _, lastUsedAt, pausedUntil, ...shown } = topic;
  return {
    ...shown,
    next: nextOf(topic, known.turns, actor),
    pausedUntil: topic.isPaused && pausedUntil ? nameDayOf(pausedUntil, actor, now) : null,
    usedOn: lastUsedAt && formatDate(lastUsedAt, actor.timeZone),
    facts: known.facts.get(topic.id) ?? 0,
    run: known.runs.get(topic.id) ?? null,
    /** Of the form that has one written; null when that would be refused. */
    key: known.canWrite ? crypto.randomUUID() : null,
    waiting: known.waiting.get(topic.id) ?? { posts: 0, unapproved: 0 },
  };
}

/** The days that a pause can have, and the one that a form begins with. */
export function pauseChoices({ timeZone }: Actor, now: Date) {
  const { first, last } = pauseDays(now, timeZone);
  const usual = Temporal.PlainDate.from(first)
    .add({ days: WEEK_DAYS - 1 })
    .toString();
  return { first, last, usual };
}
