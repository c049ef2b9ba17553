import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { written } from '#app/db/written.ts';
import type { Actor } from '#app/domain/actor.ts';
import { isPublishingStopped } from '#app/domain/publishing/facts.ts';
import { attempts, idsOf, isPublishing, type Post, type Span } from './posts.ts';

/** So much of a text is read where only its first line is shown. */
const OPENING_MAX = 120;

/** What a calendar shows of a post. */
export type PostOutline = Pick<Post, 'id' | 'content' | 'visibility' | 'status' | 'failure'> &
  Pick<Post, 'slotDate' | 'slotNumber' | 'publishAt' | 'postedAt' | 'dueAt' | 'heldAt'> &
  Pick<Post, 'isUnconfirmed' | 'isByHand' | 'isPublishing'>;

/** The values of an outline in the order of their columns, and instants in milliseconds. */
type Values = [
  ...[id: string, content: string, visibility: Post['visibility'], status: Post['status']],
  ...[failure: Post['failure'], slotDate: string | null, slotNumber: number | null],
  ...[publishAt: number | null, postedAt: number | null, dueAt: number | null, heldAt: number | null],
  ...[isUnconfirmed: boolean, isByHand: boolean, isPublishing: boolean],
];

const ms = (column: string) => sql`extract(epoch from ${sql.ref(column)}) * 1000`;

/** All in one value: of hundreds of rows the driver would read each value by itself. */
const read = written((db: Db, asked: Span & { userId: string; now: Date }) =>
  db
    .selectFrom('posts')
    .innerJoin('deliveries', 'deliveries.postId', 'posts.id')
    .leftJoin('linkedinConnections', 'linkedinConnections.userId', 'posts.userId')
    .innerJoinLateral(attempts, (join) => join.onTrue())
    .select(
      sql<Values[]>`coalesce(json_agg(json_build_array(
        posts.id, left(posts.content, ${sql.lit(OPENING_MAX)}), posts.visibility, deliveries.status,
        deliveries.failure, posts.slot_date, posts.slot_number,
        ${ms('posts.publishAt')}, ${ms('deliveries.postedAt')}, ${ms('deliveries.dueAt')}, ${ms('deliveries.heldAt')},
        deliveries.is_unconfirmed, deliveries.is_by_hand, ${isPublishing(asked.now, isPublishingStopped(asked.now))})), '[]')`.as(
        'outlines',
      ),
    )
    .where('posts.userId', '=', asked.userId)
    .where('posts.deletedAt', 'is', null)
    .where(sql<boolean>`posts.id in (${idsOf(asked.userId, asked)})`),
);

const at = (instant: number | null) => (instant === null ? null : new Date(instant));

const outlineOf = (values: Values): PostOutline => ({
  id: values[0],
  content: values[1],
  visibility: values[2],
  status: values[3],
  failure: values[4],
  slotDate: values[5],
  slotNumber: values[6],
  publishAt: at(values[7]),
  postedAt: at(values[8]),
  dueAt: at(values[9]),
  heldAt: at(values[10]),
  isUnconfirmed: values[11],
  isByHand: values[12],
  isPublishing: values[13],
});

/** The posts of a span by what a calendar shows of each, in no order. */
export async function listOutlinesOf(
  db: Db,
  { userId }: Actor,
  span: Span,
  now: Date,
): Promise<PostOutline[]> {
  const [row] = await read(db, { ...span, userId, now });
  return row!.outlines.map(outlineOf);
}
