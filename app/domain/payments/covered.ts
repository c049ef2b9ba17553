import type { Db } from '#app/db/client.ts';
import type { PaymentStatus } from '#app/db/tables.ts';
import { written } from '#app/db/written.ts';
import { selectPieces } from './pieces.ts';

/** Time that is paid for, with how many posts a day. */
export type Covered = { from: Date; to: Date; postsPerDay: number };

const read = written((db: Db, { userId }: { userId: string }) =>
  selectPieces(db)
    .select(['piece.from', 'piece.to', 'postsPerDay'])
    .where('userId', '=', userId)
    .where('status', 'in', ['active', 'expired', 'cancelled']),
);

/** The spans of time that plans of the user cover, past and to come, soonest first. */
export const listCovered = (db: Db, userId: string): Promise<Covered[]> => read(db, { userId });

type Plan = {
  status: PaymentStatus;
  startsAt: Date | null;
  endsAt: Date | null;
  postsPerDay: number;
  isInterrupted: boolean;
};

/** As `listCovered`, of some days at least: asked for where the plan that covers the present does not span them. */
export async function coverOf(db: Db, userId: string, plan: Plan | null, days: Omit<Covered, 'postsPerDay'>) {
  if (plan?.status === 'active' && plan.startsAt && plan.endsAt && !plan.isInterrupted) {
    const span = { from: plan.startsAt, to: plan.endsAt, postsPerDay: plan.postsPerDay };
    if (span.from <= days.from && span.to >= days.to) return [span];
  }
  return listCovered(db, userId);
}

/** How many posts a day are paid for at an instant. */
export const paidAt = (spans: Covered[], at: Date): number =>
  spans.find(({ from, to }) => at >= from && at < to)?.postsPerDay ?? 0;
