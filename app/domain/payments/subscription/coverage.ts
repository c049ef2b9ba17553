import type { Db } from '#app/db/client.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import { jsonReader } from '#app/db/json-rows.ts';
import { selectPlanSpans } from './spans.ts';

export type Covered = { from: Date; to: Date; postsPerDay: number };

export const coveredOf = (db: Db, { userId }: { userId: string }) =>
  selectPlanSpans(db)
    .select(['span.from', 'span.to', 'postsPerDay'])
    .where('userId', '=', userId)
    .where('status', 'in', ['active', 'expired', 'cancelled']);

const read = compiledQuery(coveredOf);

export const readCoveredRow = jsonReader<Covered>({ from: true, to: true });

export const listCovered = (db: Db, userId: string): Promise<Covered[]> => read(db, { userId });

export const paidAt = (spans: Covered[], at: Date): number =>
  spans.find(({ from, to }) => at >= from && at < to)?.postsPerDay ?? 0;
