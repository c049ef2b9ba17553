import { randomUUID } from 'node:crypto';
import { type NotNull, sql, type Updateable } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import type { Database } from '#app/db/tables.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { saveSettings } from '#app/domain/queue/slots/reschedule.ts';
import { TOPIC_FAILURES_MAX } from '#app/domain/topics/limits.ts';
import { TopicInput } from '#app/domain/topics/schema.ts';
import { createTopic } from '#app/domain/topics/topics.ts';
import { recordFailedTurn } from '#app/domain/topics/turns.ts';
import { makeUser } from './accounts.ts';
import { connectLinkedIn, setConnection } from './linkedin.ts';
import { makePlan } from './payments.ts';

const HOUR_MS = 3_600_000;

/** A user with a plan, automation on and a live connection to the sandbox that was made an hour ago. */
export async function makePublisher(db: Db, sandboxUrl: string, postsPerDay = 1): Promise<Actor> {
  const now = new Date();
  return transact(db, async (trx) => {
    const actor = await makeUser(trx, {});
    await makePlan(trx, actor, postsPerDay, now);
    await saveSettings(trx, actor, { enabled: true }, now);
    await connectLinkedIn(trx, actor, sandboxUrl);
    await setConnection(trx, actor, { connectedAt: new Date(now.getTime() - HOUR_MS) });
    // There is nothing to fit to the new plan yet: a worker that began to would move what a test puts there next.
    await sql`select graphile_worker.remove_job(${`refit:${actor.userId}`})`.execute(trx);
    return actor;
  });
}

export const makeTopic = (db: Db, actor: Actor, name = 'Weekly planning for small teams') =>
  createTopic(db, actor, TopicInput.parse({ name, keywords: ['planning', 'focus'] }));

type Options = {
  content?: string;
  dueAt?: Date;
  imageUrl?: string;
  hashtags?: string[];
  /** Otherwise the next one of its day in UTC. */
  slot?: { slotDate: string; slotNumber: number };
};

/** The turns of a topic fail so often that it is paused by itself. */
export async function failTopic(db: Db, id: string, why = 'the writer declined to write about it') {
  for (let nth = 0; nth < TOPIC_FAILURES_MAX; nth += 1)
    await transact(db, (trx) => recordFailedTurn(trx, id, why, new Date()));
}

/** The post and where it stands. */
export const readPost = (db: Db, postId: string) =>
  db
    .selectFrom('postSchedules')
    .innerJoin('posts', 'posts.id', 'postSchedules.postId')
    .selectAll('postSchedules')
    .selectAll('posts')
    .where('posts.id', '=', postId)
    .executeTakeFirstOrThrow();

/** The delivery of a post for as long as it waits in the queue. */
export const findQueued = (db: Db, postId: string) =>
  db
    .selectFrom('postSchedules')
    .selectAll()
    .where('postId', '=', postId)
    .where('dueAt', 'is not', null)
    .$narrowType<{ dueAt: NotNull }>()
    .executeTakeFirst();

/** Where a post stands from now on, as if that had become of it. In the queue it stays. */
export const standAs = (db: Db, postId: string, standing: Updateable<Database['postSchedules']>) =>
  db.updateTable('postSchedules').set(standing).where('postId', '=', postId).execute();

/** Takes a post out of the queue, and changes nothing else. */
export const takeOut = (db: Db, postId: string) =>
  standAs(db, postId, {
    dueAt: null,
    isManual: false,
    heldAt: null,
    notBefore: null,
    enqueuedAt: null,
    leaseToken: null,
    leaseUntil: null,
  });

/** A post that waits for its slot, as a run would have stored it. */
export async function makeScheduledPost(db: Db, actor: Actor, options: Options = {}): Promise<string> {
  const { content, dueAt = new Date(), imageUrl = null, hashtags = ['Planning', 'Focus', 'Teams'] } = options;
  const slot = options.slot ?? {
    slotDate: dueAt.toISOString().slice(0, 10),
    slotNumber: 1 + (await lastOfDay(db, actor, dueAt)),
  };
  const { id } = await db
    .insertInto('posts')
    .values({
      userId: actor.userId,
      content: content ?? `A plan that fits on a postcard gets read. ${randomUUID()}`,
      hashtags,
      imageUrl,
      ...slot,
      publishAt: dueAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('postSchedules').values({ postId: id, userId: actor.userId, dueAt }).execute();
  return id;
}

/** The last slot of a day that is taken: those before it may be free again. */
async function lastOfDay(db: Db, actor: Actor, at: Date): Promise<number> {
  const { last } = await db
    .selectFrom('posts')
    .select(({ fn }) => fn.max('slotNumber').as('last'))
    .where('userId', '=', actor.userId)
    .where('slotDate', '=', at.toISOString().slice(0, 10))
    .executeTakeFirstOrThrow();
  return last ?? 0;
}
