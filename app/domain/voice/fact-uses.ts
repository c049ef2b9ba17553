import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';

const LATEST = 5;
const BEGINNING = 120;

export async function listFactUses(db: Db, { userId }: Actor, factIds: string[]) {
  if (factIds.length === 0) return [];
  const uses = db
    .selectFrom('factUses')
    .innerJoin('facts', 'facts.id', 'factUses.factId')
    .innerJoin('posts', 'posts.id', 'factUses.postId')
    .select(['factUses.factId', 'factUses.postId', 'posts.createdAt'])
    .select([
      sql<string>`left(posts.content, ${sql.lit(BEGINNING)})`.as('beginning'),
      sql<number>`count(*) over (partition by fact_uses.fact_id)::int`.as('total'),
      sql<number>`row_number() over (partition by fact_uses.fact_id order by posts.created_at desc)::int`.as(
        'rank',
      ),
    ])
    .where('facts.userId', '=', userId)
    .where('facts.id', 'in', factIds)
    .where('posts.deletedAt', 'is', null);
  return db
    .selectFrom(uses.as('uses'))
    .select(['factId', 'postId', 'beginning', 'total'])
    .where('rank', '<=', LATEST)
    .orderBy('createdAt', 'desc')
    .execute();
}
