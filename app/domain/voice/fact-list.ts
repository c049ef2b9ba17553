import { type Db, type Trx, transact } from '#app/db/client.ts';
import type { FactKind } from '#app/db/tables.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/actor.ts';
import { isId } from '#app/domain/paging.ts';
import { notFound, Refusal } from '#app/domain/refusal.ts';
import { findTopic } from '#app/domain/topics/topics.ts';
import { guessKind } from './guess-kind.ts';
import { FACTS_MAX, INTERVIEW } from './limits.ts';
import type { FactInput } from './schema.ts';
import { markInterviewed } from './voice.ts';

/** The actor's facts, newest first; for a topic those that are its own and those that are good for all. */
export const listFacts = (db: Db, { userId }: Actor, topicId?: string) =>
  db
    .selectFrom('facts')
    .select(['id', 'topicId', 'kind', 'content', 'lastGivenAt', 'createdAt'])
    .where('userId', '=', userId)
    .$if(topicId !== undefined, (query) =>
      query.where((eb) => eb.or([eb('topicId', '=', topicId!), eb('topicId', 'is', null)])),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute();

export type Fact = Awaited<ReturnType<typeof listFacts>>[number];

/** Facts that the writer may have for a topic: those that waited longest first, and its own before those of all. */
export const listFactTurns = (db: Db, userId: string, topicId: string, limit: number) =>
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
export async function keptFacts(db: Db, userId: string, factIds: string[]): Promise<Set<string>> {
  if (factIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('facts')
    .select('id')
    .where('userId', '=', userId)
    .where('id', 'in', factIds)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Adds a fact; the same sentence a second time changes what the first one is for. */
export async function addFact(db: Db, actor: Actor, input: FactInput): Promise<void> {
  await transact(db, async (trx) => {
    const topicId = input.topicId ? (await findTopic(trx, actor, input.topicId)).id : null;
    await lockUser(trx, actor.userId);
    await insert(trx, actor.userId, [{ ...input, topicId }]);
  });
}

type NewFact = { content: string; topicId: string | null; kind?: FactKind | undefined };

async function insert(trx: Trx, userId: string, facts: NewFact[]): Promise<void> {
  const kept = await trx.selectFrom('facts').select(['id', 'content']).where('userId', '=', userId).execute();
  const known = new Map(kept.map(({ id, content }) => [content.toLowerCase(), id]));
  const added = facts.filter(({ content }) => !known.has(content.toLowerCase()));
  if (kept.length + added.length > FACTS_MAX) {
    const message = `At most ${FACTS_MAX} facts can be kept. Please delete one first`;
    throw new Refusal(409, 'too_many_facts', message, { field: 'content' });
  }
  for (const { content, topicId, kind } of facts) {
    const id = known.get(content.toLowerCase());
    const fact = { topicId, kind: kind ?? guessKind(content) };
    if (id) await trx.updateTable('facts').set(fact).where('id', '=', id).execute();
    else
      await trx
        .insertInto('facts')
        .values({ userId, content, ...fact })
        .execute();
  }
}

export async function changeFact(
  db: Db,
  actor: Actor,
  { factId, ...input }: FactInput & { factId: string },
): Promise<void> {
  const topicId = input.topicId ? (await findTopic(db, actor, input.topicId)).id : null;
  const change = { content: input.content, topicId, kind: input.kind ?? guessKind(input.content) };
  const changed = isId(factId)
    ? await db
        .updateTable('facts')
        .set(change)
        .where('id', '=', factId)
        .where('userId', '=', actor.userId)
        .returning('id')
        .executeTakeFirst()
    : undefined;
  if (!changed) throw notFound('This fact');
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

/** What was answered becomes facts for all topics; what was skipped is asked no more. */
export async function answerInterview(
  db: Db,
  { userId }: Actor,
  answers: string[],
  now = new Date(),
): Promise<number> {
  const facts = INTERVIEW.flatMap(({ kind }, at) => {
    const content = (answers[at] ?? '').replace(/\s*\n\s*/g, ' ');
    return content ? [{ content, kind, topicId: null }] : [];
  });
  await transact(db, async (trx) => {
    await lockUser(trx, userId);
    await insert(trx, userId, facts);
    await markInterviewed(trx, userId, now);
  });
  return facts.length;
}

/** The facts were given to the writer for a post that is stored, and some of them stand in it. */
export async function noteFactsGiven(
  trx: Trx,
  postId: string,
  given: string[],
  said: string[],
  at: Date,
): Promise<void> {
  if (given.length > 0) {
    await trx.updateTable('facts').set({ lastGivenAt: at }).where('id', 'in', given).execute();
  }
  // A fact may have been deleted while the post was written.
  const kept =
    said.length > 0 ? await trx.selectFrom('facts').select('id').where('id', 'in', said).execute() : [];
  if (kept.length === 0) return;
  await trx
    .insertInto('factUses')
    .values(kept.map(({ id }) => ({ factId: id, postId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
