import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { readAdminStats } from '#app/domain/admin-stats.ts';
import { listOperatorFaults } from '#app/domain/operator-faults.ts';
import { findDecision, listPendingPayments } from '#app/domain/payments/desk.ts';
import { listEarnings } from '#app/domain/payments/earnings.ts';
import { findPause } from '#app/domain/publishing/pause.ts';
import { describeDecided } from './describe-decided.ts';
import { describeFigures } from './describe-figures.ts';
import { describePending } from './describe-pending.ts';
import { sumUp } from './describe-revenue.ts';

const PER_PAGE = 50;

/** What the tab of payments leaves out: it is about what waits, and nothing else. */
async function loadOverview(db: Db, { timeZone }: Actor) {
  const [stats, earned] = await Promise.all([readAdminStats(db), listEarnings(db, timeZone)]);
  return { figures: describeFigures(stats), revenue: sumUp(earned) };
}

/** The admin's page as its address asks for it, with the payments that wait. */
export async function loadDesk(db: Db, actor: Actor, query: URLSearchParams, now: Date) {
  const cursor = query.get('cursor') || undefined;
  const asked = query.get('confirm-verify') ?? query.get('reject');
  const [{ rows, nextCursor }, faults, pause, overview, found] = await Promise.all([
    listPendingPayments(db, { limit: PER_PAGE, cursor }, now),
    ...([listOperatorFaults(db), findPause(db, now)] as const),
    query.get('tab') === 'payments' ? null : loadOverview(db, actor),
    findDecision(db, asked),
  ]);
  return {
    payments: rows.map((row) => describePending(row, actor)),
    ...{ nextCursor, isLater: cursor !== undefined, overview },
    pauseReason: pause?.reason ?? null,
    faults: faults.map(({ key, message }) => ({ key, message })),
    decided: found ? describeDecided(found, actor) : null,
  };
}
