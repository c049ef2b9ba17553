import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { written } from '#app/db/written.ts';

/** Time that is paid for. */
export type Covered = { from: Date; to: Date };

const read = written((db: Db, { userId }: { userId: string }) =>
  db
    .selectFrom('payments')
    .select([sql<Date>`starts_at`.as('from'), sql<Date>`ends_at`.as('to')])
    .where('userId', '=', userId)
    .where('status', 'in', ['active', 'expired', 'cancelled'])
    .where('startsAt', 'is not', null)
    .where('endsAt', 'is not', null)
    .orderBy('startsAt'),
);

/** The spans of time that plans of the user cover, past and to come, soonest first. */
export const listCovered = (db: Db, userId: string): Promise<Covered[]> => read(db, { userId });

export const isCovered = (spans: Covered[], at: Date) => spans.some(({ from, to }) => at >= from && at < to);
