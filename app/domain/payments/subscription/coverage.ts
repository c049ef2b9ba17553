import type { Db } from '#app/db/client.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import { jsonReader } from '#app/db/json-rows.ts';
import { selectPieces } from './spans.ts';

/** Time that is paid for, with how many posts a day. */
export type Covered = { from: Date; to: Date; postsPerDay: number };

/** Selects the spans of time that plans of the user cover, past and future, soonest first. */
export const coveredOf = (db: Db, { userId }: { userId: string }) =>
  selectPieces(db)
    .select(['piece.from', 'piece.to', 'postsPerDay'])
    .where('userId', '=', userId)
    .where('status', 'in', ['active', 'expired', 'cancelled']);

const read = compiledQuery(coveredOf);

export const readCoveredRow = jsonReader<Covered>({ from: true, to: true });

/** Lists the spans of time that plans of the user cover, past and future, soonest first. */
export const listCovered = (db: Db, userId: string): Promise<Covered[]> => read(db, { userId });

/** How many posts a day are paid for at an instant. */
export const paidAt = (spans: Covered[], at: Date): number =>
  spans.find(({ from, to }) => at >= from && at < to)?.postsPerDay ?? 0;
