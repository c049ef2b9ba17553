import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { written } from '#app/db/written.ts';
import type { Actor } from '#app/domain/actor.ts';
import { attempts, idsOf, isPublishing, type Span } from './posts.ts';

/** So much of a text is read where only its first line is shown. */
const OPENING_MAX = 120;

const read = written((db: Db, asked: Span & { userId: string; now: Date }) =>
  db
    .selectFrom('posts')
    .innerJoin('deliveries', 'deliveries.postId', 'posts.id')
    .leftJoin('linkedinConnections', 'linkedinConnections.userId', 'posts.userId')
    .innerJoinLateral(attempts, (join) => join.onTrue())
    .select(['posts.id', 'posts.slotDate', 'posts.slotNumber', 'posts.publishAt', 'posts.visibility'])
    .select(sql<string>`left(posts.content, ${sql.lit(OPENING_MAX)})`.as('content'))
    .select(['deliveries.status', 'deliveries.failure', 'deliveries.isUnconfirmed', 'deliveries.heldAt'])
    .select(['deliveries.postedAt', 'deliveries.dueAt', 'deliveries.isByHand'])
    .select([isPublishing(asked.now).as('isPublishing')])
    .where('posts.userId', '=', asked.userId)
    .where('posts.deletedAt', 'is', null)
    .where(sql<boolean>`posts.id in (${idsOf(asked.userId, asked)})`),
);
export type PostOutline = Awaited<ReturnType<typeof read>>[number];

/** The posts of a span by what a calendar shows of each, in no order. */
export const listOutlinesOf = (db: Db, { userId }: Actor, span: Span, now: Date): Promise<PostOutline[]> =>
  read(db, { ...span, userId, now });
