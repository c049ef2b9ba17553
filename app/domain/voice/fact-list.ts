import { type Selectable, sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import type { Database, FactKind } from '#app/db/tables.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isId, type Page, type PageQuery, readCursor, toPage } from '#app/domain/platform/paging.ts';
import { notFound, Refusal } from '#app/domain/platform/refusal.ts';
import { findTopic } from '#app/domain/topics/topics.ts';
import { FACTS_MAX } from './limits.ts';
import type { FactInput } from './schema.ts';

/** Tried in this order. A sentence that matches none is a project. */
const PATTERNS: [kind: FactKind, pattern: RegExp][] = [
  ['question', /[?？؟]\s*$/],
  [
    'lesson',
    /\b(?:learn(?:ed|t)|lesson|mistakes?|went wrong|failed|regret|too late|gelernt|fehler|aprend\w+|errore?s?|appris|erreurs?)\b|सीख|गलती/iu,
  ],
  [
    'opinion',
    /\b(?:i (?:think|believe|prefer|doubt)|should(?:n't)?|overrated|underrated|better than|worse than|ich (?:finde|glaube)|sollten?|creo que|deber[ií]a\w*|je (?:pense|crois)|devrai\w*)\b|मानना|चाहिए/iu,
  ],
  ['number', /\p{N}/u],
];

const guessKind = (content: string): FactKind =>
  PATTERNS.find(([, pattern]) => pattern.test(content))?.[0] ?? 'project';

const COLUMNS = ['id', 'topicId', 'kind', 'content', 'lastGivenAt', 'createdAt'] as const;

export type Fact = Pick<Selectable<Database['facts']>, (typeof COLUMNS)[number]>;

/** Used instead of the id of a topic for the facts of all topics. */
export const ALL_TOPICS = 'all';

/** Lists the actor's facts, newest first: all of them, those of one topic, or those for all topics. */
export async function listFacts(
  db: Db,
  { userId }: Actor,
  { topic, limit, cursor }: PageQuery & { topic?: string | undefined },
): Promise<Page<Fact>> {
  const after = readCursor(cursor);
  const rows = await db
    .selectFrom('facts')
    .select(COLUMNS)
    .where('userId', '=', userId)
    .$if(topic === ALL_TOPICS, (query) => query.where('topicId', 'is', null))
    .$if(topic !== undefined && topic !== ALL_TOPICS, (query) => query.where('topicId', '=', topic!))
    .$if(after !== undefined, (query) =>
      query.where((eb) => eb(eb.refTuple('createdAt', 'id'), '<', eb.tuple(after!.at, after!.id))),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return toPage(rows, limit, (row) => ({ at: row.createdAt, id: row.id }));
}

export async function countFacts(db: Db, { userId }: Actor): Promise<Map<string | null, number>> {
  const rows = await db
    .selectFrom('facts')
    .select(['topicId', ({ fn }) => fn.countAll<string>().as('count')])
    .where('userId', '=', userId)
    .groupBy('topicId')
    .execute();
  return new Map(rows.map(({ topicId, count }) => [topicId, Number(count)]));
}

const factNotFound = () => notFound('This fact');

async function findFact(db: Db, { userId }: Actor, factId: string): Promise<Fact> {
  if (!isId(factId)) throw factNotFound();
  return db
    .selectFrom('facts')
    .select(COLUMNS)
    .where('id', '=', factId)
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow(factNotFound);
}

/** Lists the facts for a topic, the least recently used first, those of the topic before those for all topics. */
export const listFactsByTurn = (db: Db, userId: string, topicId: string, limit: number) =>
  db
    .selectFrom('facts')
    .select(['id', 'kind', 'content'])
    .where('userId', '=', userId)
    .where((eb) => eb.or([eb('topicId', '=', topicId), eb('topicId', 'is', null)]))
    .orderBy('lastGivenAt', (order) => order.asc().nullsFirst())
    .orderBy((eb) => eb('topicId', 'is', null))
    .orderBy('createdAt')
    .limit(limit)
    .execute();

export async function listRemainingFacts(db: Db, userId: string, factIds: string[]): Promise<Set<string>> {
  if (factIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('facts')
    .select('id')
    .where('userId', '=', userId)
    .where('id', 'in', factIds)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export const findSameFact = (db: Db, userId: string, content: string) =>
  db
    .selectFrom('facts')
    .select('id')
    .where('userId', '=', userId)
    .where(sql`lower(content)`, '=', sql`lower(${content})`)
    .executeTakeFirst();

type NewFact = {
  content: string;
  topicId: string | null;
  kind?: FactKind | undefined;
  question?: number;
};

/** Inserts a fact. The caller holds the lock of the user and has checked for the same text. */
export async function storeFact(trx: Trx, userId: string, fact: NewFact): Promise<void> {
  const { count } = await trx
    .selectFrom('facts')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= FACTS_MAX) {
    const message = `At most ${FACTS_MAX} facts can be kept. Please delete one first`;
    throw new Refusal(409, 'too_many_facts', message, { field: 'content' });
  }
  const kind = fact.kind ?? guessKind(fact.content);
  await trx
    .insertInto('facts')
    .values({ userId, ...fact, kind })
    .execute();
}

async function toColumns(trx: Trx, actor: Actor, { content, topicId, kind }: FactInput) {
  // The lock keeps the topic from being deleted meanwhile.
  await lockUser(trx, actor.userId);
  const topic = topicId ? (await findTopic(trx, actor, topicId)).id : null;
  return { content, topicId: topic, kind: kind ?? guessKind(content) };
}

/** Adds a fact, or changes the topic and kind of the fact with the same text. Returns whether it is new. */
export async function addFact(db: Db, actor: Actor, input: FactInput): Promise<{ isNew: boolean }> {
  return transact(db, async (trx) => {
    const { content, ...columns } = await toColumns(trx, actor, input);
    const same = await findSameFact(trx, actor.userId, content);
    if (same) await trx.updateTable('facts').set(columns).where('id', '=', same.id).execute();
    else await storeFact(trx, actor.userId, { content, ...columns });
    return { isNew: !same };
  });
}

export async function changeFact(
  db: Db,
  actor: Actor,
  { factId, ...input }: FactInput & { factId: string },
): Promise<void> {
  await transact(db, async (trx) => {
    const fact = await toColumns(trx, actor, input);
    const { id } = await findFact(trx, actor, factId);
    const same = await findSameFact(trx, actor.userId, fact.content);
    if (same && same.id !== id) {
      const message = 'Another fact of yours says this already';
      throw new Refusal(409, 'known_fact', message, { field: 'content' });
    }
    await trx.updateTable('facts').set(fact).where('id', '=', id).execute();
  });
}

export async function deleteFact(db: Db, { userId }: Actor, factId: string): Promise<void> {
  if (!isId(factId)) throw factNotFound();
  await db
    .deleteFrom('facts')
    .where('id', '=', factId)
    .where('userId', '=', userId)
    .returning('id')
    .executeTakeFirstOrThrow(factNotFound);
}

/**
 * Records the facts that the writer got for a text (`offered`), and those that the text uses (`claimed`). Their turns are
 * a millisecond apart and in order, but claimed facts come last; else a user with three facts would always begin with
 * the same one.
 */
export async function recordFactUses(
  trx: Trx,
  postId: string,
  offered: string[],
  claimed: string[],
  at: Date,
): Promise<void> {
  if (offered.length > 0) {
    const turns = offered.toSorted((a, b) => Number(claimed.includes(a)) - Number(claimed.includes(b)));
    const nth = sql`array_position(${turns}::uuid[], id)`;
    await trx
      .updateTable('facts')
      .set({ lastGivenAt: sql<Date>`${at}::timestamptz + ${nth} * interval '1 millisecond'` })
      .where('id', 'in', offered)
      .execute();
  }
  await trx.deleteFrom('factUses').where('postId', '=', postId).execute();
  // A fact may have been deleted while the post was written.
  const existing =
    claimed.length > 0 ? await trx.selectFrom('facts').select('id').where('id', 'in', claimed).execute() : [];
  if (existing.length === 0) return;
  await trx
    .insertInto('factUses')
    .values(existing.map(({ id }) => ({ factId: id, postId })))
    .execute();
}
