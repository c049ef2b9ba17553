import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isId, type Page, type PageQuery, readCursor, toPage } from '#app/domain/platform/paging.ts';
import { notFound, Refusal } from '#app/domain/platform/refusal.ts';
import { TOPICS_MAX } from './limits.ts';
import { hasTurns, isPaused } from './predicates.ts';
import type { TopicChange, TopicInput } from './schema.ts';

const COLUMNS = [
  'id',
  'name',
  'description',
  'keywords',
  'tone',
  'approval',
  'isActive',
  'createdAt',
  'lastUsedAt',
  'failures',
  'failure',
  'pausedUntil',
  isPaused().as('isPaused'),
] as const;

const ofActor = (db: Db, actor: Actor) =>
  db.selectFrom('topics').select(COLUMNS).where('userId', '=', actor.userId);

export type Topic = Awaited<ReturnType<typeof findTopic>>;

/** The actor's topics, newest first. */
export async function listTopics(db: Db, actor: Actor, query: PageQuery): Promise<Page<Topic>> {
  const after = readCursor(query.cursor);
  const rows = await ofActor(db, actor)
    .$if(after !== undefined, (q) =>
      q.where((eb) => eb(eb.refTuple('createdAt', 'id'), '<', eb.tuple(after!.at, after!.id))),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(query.limit + 1)
    .execute();
  return toPage(rows, query.limit, (row) => ({ at: row.createdAt, id: row.id }));
}

/** Far above what anybody has: a form that lacks a topic would change what it says of it. */
const NAMES_MOST = 2_000;

export const topicNamesOf = (db: Db, { userId }: { userId: string }) =>
  db
    .selectFrom('topics')
    .select(['id', 'name', hasTurns().as('hasTurns')])
    .where('userId', '=', userId)
    .orderBy('name')
    .limit(NAMES_MOST);

const readNames = compiledQuery(topicNamesOf);

/** What the actor's topics are called, in order of their names. */
export const listTopicNames = (db: Db, { userId }: Actor) => readNames(db, { userId });

export async function findTopic(db: Db, actor: Actor, topicId: string) {
  const topic = isId(topicId)
    ? await ofActor(db, actor).where('id', '=', topicId).executeTakeFirst()
    : undefined;
  if (!topic) throw notFound('This topic');
  return topic;
}

async function requireRoom(trx: Trx, userId: string): Promise<void> {
  const { count } = await trx
    .selectFrom('topics')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  if (Number(count) < TOPICS_MAX) return;
  const message = `At most ${TOPICS_MAX.toLocaleString('en')} topics can be kept. Please delete one first`;
  throw new Refusal(409, 'too_many_topics', message, { field: 'name' });
}

export async function createTopic(db: Db, { userId }: Actor, input: TopicInput): Promise<Topic> {
  return transact(db, async (trx) => {
    await lockUser(trx, userId);
    await requireRoom(trx, userId);
    return trx
      .insertInto('topics')
      .values({ ...input, userId })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
  });
}

const TWICE_WITHIN = sql`interval '1 minute'`;

/** The same for a form, which makes one topic when it is sent twice. */
export async function createTopicOnce(db: Db, actor: Actor, input: TopicInput): Promise<Topic> {
  const { name, description, keywords, tone, approval } = input;
  return transact(db, async (trx) => {
    await lockUser(trx, actor.userId);
    const same = await ofActor(trx, actor)
      .where('name', '=', name)
      .where('description', '=', description)
      .where('keywords', '=', sql<string[]>`${keywords}::text[]`)
      .where('tone', '=', tone)
      .$if(approval !== undefined, (query) => query.where('approval', '=', approval!))
      .where('createdAt', '>', sql<Date>`now() - ${TWICE_WITHIN}`)
      .executeTakeFirst();
    return same ?? createTopic(trx, actor, input);
  });
}

export async function changeTopic(
  db: Db,
  actor: Actor,
  input: TopicChange & { topicId: string },
): Promise<Topic> {
  const { topicId, ...change } = input;
  const isChange = Object.values(change).some((value) => value !== undefined);
  if (!isChange || !isId(topicId)) return findTopic(db, actor, topicId);
  const topic = await db
    .updateTable('topics')
    .set(change)
    .where('id', '=', topicId)
    .where('userId', '=', actor.userId)
    .returning(COLUMNS)
    .executeTakeFirst();
  if (!topic) throw notFound('This topic');
  return topic;
}

/** Its owner has said whether its posts go out without asking, and is not offered it again. */
export async function markTrustAnswered(trx: Trx, topicId: string, at: Date): Promise<void> {
  await trx.updateTable('topics').set({ autoPublishAnsweredAt: at }).where('id', '=', topicId).execute();
}

/** Posts that were written about it stay; they no longer name a topic. */
export async function deleteTopic(db: Db, actor: Actor, topicId: string): Promise<void> {
  const { id } = await findTopic(db, actor, topicId);
  await transact(db, async (trx) => {
    // It changes every post and run that names the topic.
    await lockUser(trx, actor.userId);
    await trx.deleteFrom('topics').where('id', '=', id).where('userId', '=', actor.userId).execute();
  });
}

const NOT_PAUSED = { pausedAt: null, pausedUntil: null, failures: 0, failure: '' };

/** It is active afterwards or not; either way it is not paused any more. */
export async function toggleTopic(db: Db, actor: Actor, topicId: string): Promise<Topic> {
  const { id } = await findTopic(db, actor, topicId);
  return db
    .updateTable('topics')
    .set((eb) => ({ isActive: eb.not('isActive'), ...NOT_PAUSED }))
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Without a day it has its turns again, and may fail as often as before; with one it has them from then on. */
export async function setPause(
  db: Db,
  actor: Actor,
  topicId: string,
  pause: { pausedAt: Date; pausedUntil: Date } | null,
): Promise<Topic> {
  const { id } = await findTopic(db, actor, topicId);
  return db
    .updateTable('topics')
    .set({ ...NOT_PAUSED, ...pause })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}
