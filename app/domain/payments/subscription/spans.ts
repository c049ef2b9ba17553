import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.ts';

/**
 * A span in which a plan runs. A plan has several when another one interrupted it. With `keepsLength` a moved plan
 * keeps its length instead of becoming a whole month: prorated plans, remaining time, months shortened by used
 * credit, and extended plans.
 */
export type PlanSpan = {
  paymentId: string;
  postsPerDay: number;
  keepsLength: boolean;
  startsAt: Date;
  endsAt: Date;
};
export type Span = Pick<PlanSpan, 'startsAt' | 'endsAt'>;

export const msOf = ({ startsAt, endsAt }: Span) => endsAt.getTime() - startsAt.getTime();

export const totalMs = (spans: Span[]) => spans.reduce((sum, span) => sum + msOf(span), 0);

export function splitAt<S extends Span>(spans: S[], at: Date): { before: S[]; after: S[] } {
  const before = spans.filter(({ startsAt }) => startsAt < at);
  const after = spans.filter(({ endsAt }) => endsAt > at);
  return {
    before: before.map((span) => (span.endsAt > at ? { ...span, endsAt: at } : span)),
    after: after.map((span) => (span.startsAt < at ? { ...span, startsAt: at } : span)),
  };
}

/** One row for each span of a plan, `span.from` to `span.to`, in order. */
export const selectPlanSpans = (db: Db) =>
  db
    .selectFrom('payments')
    .innerJoinLateral(
      sql<{ from: Date; to: Date }>`(select lower(r) as "from", upper(r) as "to"
        from unnest(tstzmultirange(tstzrange(starts_at, ends_at)) - interruptions) as r)`.as('span'),
      (join) => join.onTrue(),
    )
    .orderBy('span.from');

export async function listPlanSpans(db: Db, userIds: string[]): Promise<(PlanSpan & { userId: string })[]> {
  if (userIds.length === 0) return [];
  return selectPlanSpans(db)
    .select(['payments.id as paymentId', 'postsPerDay'])
    .select(({ or }) => or({ isProrated: true, keepsLength: true }).$castTo<boolean>().as('keepsLength'))
    .select(['span.from as startsAt', 'span.to as endsAt'])
    .select(({ ref }) => ref('userId').$castTo<string>().as('userId'))
    .where('userId', 'in', userIds)
    .where('status', 'in', ['active', 'expired', 'cancelled'])
    .execute();
}

const rangeOf = (from: Date, to: Date) => sql`tstzrange(${from}::timestamptz, ${to}::timestamptz)`;

function interruptionsOf(spans: Span[]) {
  const gaps = spans.slice(1).map(({ startsAt }, index) => rangeOf(spans[index]!.endsAt, startsAt));
  return sql<string>`tstzmultirange(${gaps.length > 0 ? sql.join(gaps) : sql``})`;
}

/** The columns of a plan with these spans; without any it begins and ends at `at`. */
function columnsOf(spans: Span[], at: Date) {
  const startsAt = spans[0]?.startsAt ?? at;
  return { startsAt, endsAt: spans.at(-1)?.endsAt ?? startsAt, interruptions: interruptionsOf(spans) };
}

/** First removes the time from `now` on from all plans, because a constraint allows one plan at a time. */
export async function movePlanSpans(
  trx: Trx,
  moved: Map<string, Span[]>,
  keepLength: string[],
  now: Date,
): Promise<void> {
  for (const [id, spans] of moved) {
    const set = columnsOf(splitAt(spans, now).before, now);
    await trx.updateTable('payments').set(set).where('id', '=', id).execute();
  }
  for (const [id, spans] of moved) {
    await trx.updateTable('payments').set(columnsOf(spans, now)).where('id', '=', id).execute();
  }
  if (keepLength.length === 0) return;
  await trx.updateTable('payments').set({ keepsLength: true }).where('id', 'in', keepLength).execute();
}
