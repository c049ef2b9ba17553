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

/** In the order in which they are tried; a sentence that says none of these tells of something done. */
const SIGNS: [kind: FactKind, sign: RegExp][] = [
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

/** What kind of fact a sentence is, when its owner does not say. */
const guessKind = (content: string): FactKind =>
  SIGNS.find(([, sign]) => sign.test(content))?.[0] ?? 'project';

const COLUMNS = ['id', 'topicId', 'kind', 'content', 'lastGivenAt', 'createdAt'] as const;

export type Fact = Pick<Selectable<Database['facts']>, (typeof COLUMNS)[number]>;

/** Facts that are good for all topics, in the place of a topic's id. */
export const FOR_ALL = 'all';

/** The actor's facts, newest first: all of them, those of a topic alone, or those that are good for every topic. */
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
    .$if(topic === FOR_ALL, (query) => query.where('topicId', 'is', null))
    .$if(topic !== undefined && topic !== FOR_ALL, (query) => query.where('topicId', '=', topic!))
    .$if(after !== undefined, (query) =>
      query.where((eb) => eb(eb.refTuple('createdAt', 'id'), '<', eb.tuple(after!.at, after!.id))),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return toPage(rows, limit, (row) => ({ at: row.createdAt, id: row.id }));
}

/** How many facts the actor has for each topic, by its id, and for all. */
export async function countFacts(db: Db, { userId }: Actor): Promise<Map<string | null, number>> {
  const rows = await db
    .selectFrom('facts')
    .select(['topicId', ({ fn }) => fn.countAll<string>().as('count')])
    .where('userId', '=', userId)
    .groupBy('topicId')
    .execute();
  return new Map(rows.map(({ topicId, count }) => [topicId, Number(count)]));
}

async function findFact(db: Db, { userId }: Actor, factId: string): Promise<Fact> {
  const fact = isId(factId)
    ? await db
        .selectFrom('facts')
        .select(COLUMNS)
        .where('id', '=', factId)
        .where('userId', '=', userId)
        .executeTakeFirst()
    : undefined;
  if (!fact) throw notFound('This fact');
  return fact;
}

/** Facts that the writer may have for a topic: those that waited longest first, and its own before those of all. */
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

/** Which of these facts the user still has. */
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

/** The fact that says this already. */
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

/** Stores a fact that is not known yet. The user is locked. */
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

/** What is stored of an input. A topic that is deleted meanwhile waits for the lock of its user. */
async function storedOf(trx: Trx, actor: Actor, { content, topicId, kind }: FactInput) {
  await lockUser(trx, actor.userId);
  const topic = topicId ? (await findTopic(trx, actor, topicId)).id : null;
  return { content, topicId: topic, kind: kind ?? guessKind(content) };
}

/** Adds a fact; the same sentence a second time changes what the first one is for. Answers whether it is new. */
export async function addFact(db: Db, actor: Actor, input: FactInput): Promise<{ isNew: boolean }> {
  return transact(db, async (trx) => {
    const { content, ...of } = await storedOf(trx, actor, input);
    const same = await findSameFact(trx, actor.userId, content);
    if (same) await trx.updateTable('facts').set(of).where('id', '=', same.id).execute();
    else await storeFact(trx, actor.userId, { content, ...of });
    return { isNew: !same };
  });
}

export async function changeFact(
  db: Db,
  actor: Actor,
  { factId, ...input }: FactInput & { factId: string },
): Promise<void> {
  await transact(db, async (trx) => {
    const fact = await storedOf(trx, actor, input);
    const { id } = await findFact(trx, actor, factId);
    const same = await findSameFact(trx, actor.userId, fact.content);
    if (same && same.id !== id) {
      const message = 'Another fact of yours says this already';
      throw new Refusal(409, 'known_fact', message, { field: 'content' });
    }
    await trx.updateTable('facts').set(fact).where('id', '=', id).execute();
  });
}

/** Posts that say it stay as they are. */
export async function deleteFact(db: Db, { userId }: Actor, factId: string): Promise<void> {
  const deleted = isId(factId)
    ? await db
        .deleteFrom('facts')
        .where('id', '=', factId)
        .where('userId', '=', userId)
        .returning('id')
        .executeTakeFirst()
    : undefined;
  if (!deleted) throw notFound('This fact');
}

/**
 * The facts were given to the writer for the text that a post has from now on, and some of them stand in it. Those of one
 * post keep the order of their turns, each a millisecond after the one before, but those that stand in it come last: who
 * has three facts would begin with the same one for ever.
 */
export async function recordFactUses(
  trx: Trx,
  postId: string,
  given: string[],
  said: string[],
  at: Date,
): Promise<void> {
  if (given.length > 0) {
    const turns = given.toSorted((a, b) => Number(said.includes(a)) - Number(said.includes(b)));
    const nth = sql`array_position(${turns}::uuid[], id)`;
    await trx
      .updateTable('facts')
      .set({ lastGivenAt: sql<Date>`${at}::timestamptz + ${nth} * interval '1 millisecond'` })
      .where('id', 'in', given)
      .execute();
  }
  await trx.deleteFrom('factUses').where('postId', '=', postId).execute();
  // A fact may have been deleted while the post was written.
  const kept =
    said.length > 0 ? await trx.selectFrom('facts').select('id').where('id', 'in', said).execute() : [];
  if (kept.length === 0) return;
  await trx
    .insertInto('factUses')
    .values(kept.map(({ id }) => ({ factId: id, postId })))
    .execute();
}
