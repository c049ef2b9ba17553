import { type Db, type Trx, transact } from '#app/db/client.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { runIdempotently } from '#app/domain/platform/idempotency-keys.ts';
import { isId, type Page, type PageQuery, readCursor, toPage } from '#app/domain/platform/paging.ts';
import { notFound, Refusal } from '#app/domain/platform/refusal.ts';
import { TOPICS_MAX } from './limits.ts';
import { hasTurns, isPaused } from './predicates.ts';
import type { TopicChange, TopicForm, TopicInput } from './schema.ts';

/*
 * Creates, changes and deletes topics, for forms, the API, assistants and the demo. Other files of this folder write only
 * what the product changes: `turns.ts` the turns and failures, `pauses.ts` the pauses when a time zone changes.
 */
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

/** What the writer gets of a topic. */
export const WRITING_COLUMNS = ['id', 'name', 'description', 'keywords', 'tone'] as const;
export type WritingTopic = Pick<Topic, (typeof WRITING_COLUMNS)[number]>;

const topicsOf = (db: Db, { userId }: Actor) =>
  db.selectFrom('topics').select(COLUMNS).where('userId', '=', userId);

export type Topic = Awaited<ReturnType<typeof findTopic>>;

export async function listTopics(db: Db, actor: Actor, query: PageQuery): Promise<Page<Topic>> {
  const after = readCursor(query.cursor);
  const rows = await topicsOf(db, actor)
    .$if(after !== undefined, (q) =>
      q.where((eb) => eb(eb.refTuple('createdAt', 'id'), '<', eb.tuple(after!.at, after!.id))),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(query.limit + 1)
    .execute();
  return toPage(rows, query.limit, (row) => ({ at: row.createdAt, id: row.id }));
}

/** More than `TOPICS_MAX`, so that the list is complete: a select that lacks the saved topic would change it. */
const NAMES_MAX = 2_000;

export const topicNamesOf = (db: Db, { userId }: { userId: string }) =>
  db
    .selectFrom('topics')
    .select(['id', 'name', hasTurns().as('hasTurns')])
    .where('userId', '=', userId)
    .orderBy('name')
    .limit(NAMES_MAX);

const readNames = compiledQuery(topicNamesOf);

export const listTopicNames = (db: Db, { userId }: Actor) => readNames(db, { userId });

const topicNotFound = () => notFound('This topic');

export async function findTopic(db: Db, actor: Actor, topicId: string) {
  if (!isId(topicId)) throw topicNotFound();
  return topicsOf(db, actor).where('id', '=', topicId).executeTakeFirstOrThrow(topicNotFound);
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

/**
 * Creates a topic.
 *
 * Names are not unique: a user may have two topics of one name. What prevents duplicates is the idempotency key of
 * the request (`runIdempotently`), for programs and forms alike. Programs send it as `Idempotency-Key`, and the endpoint
 * reads it; forms send it as a hidden field, and `createTopicFromForm` reads it.
 */
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

/**
 * Creates the topic of a form. A form that is sent again unchanged returns the topic that it created, and creates it
 * again only when it was deleted since. A form that was changed after Back creates another topic.
 */
export async function createTopicFromForm(
  db: Db,
  actor: Actor,
  { key, ...input }: TopicForm,
): Promise<Topic> {
  if (!key) return createTopic(db, actor, input);
  const request = {
    userId: actor.userId,
    network: '',
    call: 'POST /app/topics',
    key: `${key} ${JSON.stringify(input)}`,
    body: input,
    isPatient: true,
  };
  return transact(db, async (trx) => {
    const { text: id } = await runIdempotently(trx, request, databaseNow(), async (part) => {
      const topic = await createTopic(part, actor, input);
      return { status: 201, text: topic.id };
    });
    const topic = await topicsOf(trx, actor).where('id', '=', id).executeTakeFirst();
    return topic ?? createTopic(trx, actor, input);
  });
}

/** Changes the fields that are set. Callers outside this folder use `saveTopic`, which also asks for new approvals. */
export async function changeTopic(
  db: Db,
  actor: Actor,
  input: TopicChange & { topicId: string },
): Promise<Topic> {
  const { topicId, ...change } = input;
  const isChange = Object.values(change).some((value) => value !== undefined);
  if (!isChange || !isId(topicId)) return findTopic(db, actor, topicId);
  return db
    .updateTable('topics')
    .set(change)
    .where('id', '=', topicId)
    .where('userId', '=', actor.userId)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow(topicNotFound);
}

/** Records that the user answered whether posts about the topic are published without approval: the offer is made once. */
export async function markTrustAnswered(trx: Trx, topicId: string, at: Date): Promise<void> {
  await trx.updateTable('topics').set({ autoPublishAnsweredAt: at }).where('id', '=', topicId).execute();
}

/** Deletes a topic; its posts stay, without a topic. Callers outside this folder use `removeTopic`. */
export async function deleteTopic(db: Db, actor: Actor, topicId: string): Promise<void> {
  const { id } = await findTopic(db, actor, topicId);
  await transact(db, async (trx) => {
    // The foreign keys of posts and runs are set to null, so they change too.
    await lockUser(trx, actor.userId);
    await trx.deleteFrom('topics').where('id', '=', id).where('userId', '=', actor.userId).execute();
  });
}

const NOT_PAUSED = { pausedAt: null, pausedUntil: null, failures: 0, failure: '' };

/** Activates or deactivates a topic, and ends its pause in both cases. */
export async function toggleTopic(db: Db, actor: Actor, topicId: string): Promise<Topic> {
  const { id } = await findTopic(db, actor, topicId);
  return db
    .updateTable('topics')
    .set((eb) => ({ isActive: eb.not('isActive'), ...NOT_PAUSED }))
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Pauses a topic, or ends its pause for null. Its failures are counted from zero again. */
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
