import { localDateOf } from '#app/domain/automation/slots.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate, formatInstant, nameDay } from '#app/domain/platform/dates.ts';
import type { WaitingCounts } from '#app/domain/publishing/slots/waiting-posts.ts';
import { pauseDays } from '#app/domain/topics/pauses.ts';
import type { Topic } from '#app/domain/topics/topics.ts';
import type { TopicRun } from '#app/domain/writing/runs/list-by-topic.ts';
import type { NextTurns } from '#app/domain/writing/runs/upcoming-topics.ts';

const WEEK_DAYS = 7;

/** A day in a sentence, with its instant and its ISO date. */
export function nameDayOf(at: Date, { timeZone }: Actor, now: Date) {
  const date = localDateOf(at, timeZone);
  const name = nameDay(date, localDateOf(now, timeZone));
  return { date, iso: at.toISOString(), text: /^To/.test(name) ? name.toLowerCase() : name };
}

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
  /** Without a plan it needs a free post. */
  canWrite: boolean;
};

export type TopicView = ReturnType<typeof presentTopic>;

export function presentTopic(topic: Topic, context: PresentInput, actor: Actor, now: Date) {
  const { createdAt: _, lastUsedAt, pausedUntil, ...fields } = topic;
  return {
    ...fields,
    next: nextOf(topic, context.turns, actor),
    pausedUntil: topic.isPaused && pausedUntil ? nameDayOf(pausedUntil, actor, now) : null,
    usedOn: lastUsedAt && formatDate(lastUsedAt, actor.timeZone),
    facts: context.facts.get(topic.id) ?? 0,
    run: context.runs.get(topic.id) ?? null,
    /** The idempotency key of "Write one now"; null if that would be refused. */
    key: context.canWrite ? crypto.randomUUID() : null,
    waiting: context.waiting.get(topic.id) ?? { posts: 0, unapproved: 0 },
  };
}

/** The first, last and default day of a pause. */
export function pauseChoices({ timeZone }: Actor, now: Date) {
  const { first, last } = pauseDays(now, timeZone);
  const usual = Temporal.PlainDate.from(first)
    .add({ days: WEEK_DAYS - 1 })
    .toString();
  return { first, last, usual };
}
