import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.ts';

/**
 * A stretch of time in which a plan runs. A plan has several when another one stood in its place for a while. One that keeps
 * its length is no whole month wherever it stands: a share of one, a rest, one that pays for credit that was used, or one with
 * days that were given.
 */
export type Piece = {
  paymentId: string;
  postsPerDay: number;
  keepsLength: boolean;
  startsAt: Date;
  endsAt: Date;
};
export type Span = Pick<Piece, 'startsAt' | 'endsAt'>;

export const msOf = ({ startsAt, endsAt }: Span) => endsAt.getTime() - startsAt.getTime();

export const totalMs = (spans: Span[]) => spans.reduce((sum, span) => sum + msOf(span), 0);

/** What of the spans lies before an instant, and what from it on. */
export function splitAt<S extends Span>(spans: S[], at: Date): { before: S[]; after: S[] } {
  const before = spans.filter(({ startsAt }) => startsAt < at);
  const after = spans.filter(({ endsAt }) => endsAt > at);
  return {
    before: before.map((span) => (span.endsAt > at ? { ...span, endsAt: at } : span)),
    after: after.map((span) => (span.startsAt < at ? { ...span, startsAt: at } : span)),
  };
}

/** Plans in the pieces in which they run, soonest first: `piece.from`, `piece.to`. */
export const selectPieces = (db: Db) =>
  db
    .selectFrom('payments')
    .innerJoinLateral(
      sql<{ from: Date; to: Date }>`(select lower(r) as "from", upper(r) as "to"
        from unnest(tstzmultirange(tstzrange(starts_at, ends_at)) - interruptions) as r)`.as('piece'),
      (join) => join.onTrue(),
    )
    .orderBy('piece.from');

/** The pieces of every plan of some users that ever ran or will run, soonest first. */
export async function listPieces(db: Db, userIds: string[]): Promise<(Piece & { userId: string })[]> {
  if (userIds.length === 0) return [];
  return selectPieces(db)
    .select(['payments.id as paymentId', 'postsPerDay'])
    .select(({ or }) => or({ isProrated: true, keepsLength: true }).$castTo<boolean>().as('keepsLength'))
    .select(['piece.from as startsAt', 'piece.to as endsAt'])
    .select(({ ref }) => ref('userId').$castTo<string>().as('userId'))
    .where('userId', 'in', userIds)
    .where('status', 'in', ['active', 'expired', 'cancelled'])
    .execute();
}

const rangeOf = (from: Date, to: Date) => sql`tstzrange(${from}::timestamptz, ${to}::timestamptz)`;

/** Between the first and the last piece: when it does not run. */
function gapsOf(pieces: Span[]) {
  const gaps = pieces.slice(1).map(({ startsAt }, index) => rangeOf(pieces[index]!.endsAt, startsAt));
  return sql<string>`tstzmultirange(${gaps.length > 0 ? sql.join(gaps) : sql``})`;
}

/** As what a plan is stored that runs in these pieces; in none, it begins and ends at `at`. */
function columnsOf(pieces: Span[], at: Date) {
  const startsAt = pieces[0]?.startsAt ?? at;
  return { startsAt, endsAt: pieces.at(-1)?.endsAt ?? startsAt, interruptions: gapsOf(pieces) };
}

/**
 * Gives several plans of a user other pieces, and those of `keeping` keep their length from now on. What they had from `now`
 * on is taken from all of them first, because no instant may be covered twice in between.
 */
export async function movePieces(
  trx: Trx,
  moved: Map<string, Span[]>,
  keeping: string[],
  now: Date,
): Promise<void> {
  for (const [id, pieces] of moved) {
    const set = columnsOf(splitAt(pieces, now).before, now);
    await trx.updateTable('payments').set(set).where('id', '=', id).execute();
  }
  for (const [id, pieces] of moved) {
    await trx.updateTable('payments').set(columnsOf(pieces, now)).where('id', '=', id).execute();
  }
  if (keeping.length === 0) return;
  await trx.updateTable('payments').set({ keepsLength: true }).where('id', 'in', keeping).execute();
}
