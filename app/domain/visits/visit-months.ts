import { sql } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import { after } from '#app/db/clock.ts';
import { VISIT_DAYS } from './limits.ts';
import { lockVisits } from './store-visits.ts';

const DAY_MS = 86_400_000;

export const maintainVisitMonths = (db: Db, now: Date): Promise<void> =>
  transact(db, async (trx) => {
    await lockVisits(trx);
    await sql`select keep_visit_months(${now}, ${after(now, -VISIT_DAYS * DAY_MS)})`.execute(trx);
  });
