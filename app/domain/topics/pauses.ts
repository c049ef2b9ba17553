import type { Db, Trx } from '#app/db/client.ts';
import { instantOf, localDateOf } from '#app/domain/automation/slots.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { TOPIC_PAUSE_MONTHS_MAX } from './limits.ts';
import type { TopicPause } from './schema.ts';
import { findTopic, setPause, type Topic } from './topics.ts';

/** The first and the last day until which a topic can be paused, as YYYY-MM-DD. */
export function pauseDays(now: Date, timeZone: string): { first: string; last: string } {
  const today = Temporal.PlainDate.from(localDateOf(now, timeZone));
  return {
    first: today.add({ days: 1 }).toString(),
    last: today.add({ months: TOPIC_PAUSE_MONTHS_MAX }).toString(),
  };
}

export async function pauseTopic(
  db: Db,
  actor: Actor,
  { topicId, until }: TopicPause & { topicId: string },
  now = new Date(),
): Promise<Topic> {
  const refuse = (status: 409 | 422, code: string, message: string) =>
    new Refusal(status, code, message, { field: 'until' });
  const { isActive } = await findTopic(db, actor, topicId);
  if (!isActive) throw refuse(409, 'topic_inactive', 'This topic is not active, so it has no turns to pause');
  const { first, last } = pauseDays(now, actor.timeZone);
  if (until < first) throw refuse(422, 'invalid', 'Please choose a day from tomorrow on');
  if (until > last) {
    throw refuse(422, 'invalid', `Please choose a day within the next ${TOPIC_PAUSE_MONTHS_MAX} months`);
  }
  const pausedUntil = instantOf(until, '00:00', actor.timeZone);
  return setPause(db, actor, topicId, { pausedAt: now, pausedUntil });
}

export const resumeTopic = (db: Db, actor: Actor, topicId: string): Promise<Topic> =>
  setPause(db, actor, topicId, null);

/** Keeps the days until which topics are paused when the time zone of their user changes. */
export async function rezonePauses(
  trx: Trx,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const paused = await trx
    .selectFrom('topics')
    .select(['id', 'pausedUntil'])
    .where('userId', '=', userId)
    .where('pausedUntil', 'is not', null)
    .execute();
  for (const { id, pausedUntil } of paused) {
    const until = instantOf(localDateOf(pausedUntil!, from), '00:00', to);
    await trx.updateTable('topics').set({ pausedUntil: until }).where('id', '=', id).execute();
  }
}
