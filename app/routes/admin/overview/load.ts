import type { Db } from '#app/db/client.ts';
import { readAdminStats } from '#app/domain/operations/stats.ts';
import { listRevenue } from '#app/domain/payments/ledger/revenue.ts';
import { findDecision, listPendingPayments } from '#app/domain/payments/review/list-pending.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { listOperatorFaults } from '#app/domain/platform/operator-alerts.ts';
import { findPause } from '#app/domain/publishing/safety/pause.ts';
import { readReplica } from '#app/http/read-replica.ts';
import { loadEmail, loadVisits } from '#app/routes/admin/analytics/load.ts';
import { presentPending } from '#app/routes/admin/payments/present.ts';
import { presentDecision } from '#app/routes/admin/payments/present-decision.ts';
import { presentReceived } from '#app/routes/admin/payments/revenue/present.ts';
import { loadUsers } from '#app/routes/admin/users/load.ts';
import { presentFigures } from './present-stats.ts';
import { type AdminTab, adminTabOf } from './tab-param.ts';

const PER_PAGE = 50;

async function loadOverview({ timeZone }: Actor) {
  const [stats, received] = await readReplica((db) => Promise.all([readAdminStats(db), listRevenue(db)]));
  return { figures: presentFigures(stats, timeZone), revenue: received.map(presentReceived) };
}

async function loadPayments(db: Db, actor: Actor, query: URLSearchParams, now: Date) {
  const cursor = query.get('cursor') || undefined;
  const [{ rows, nextCursor }, decision] = await Promise.all([
    listPendingPayments(db, { limit: PER_PAGE, cursor }, now),
    findDecision(db, query.get('confirm-verify') ?? query.get('reject')),
  ]);
  return {
    payments: rows.map((row) => presentPending(row, actor)),
    nextCursor,
    isLater: cursor !== undefined,
    decision: decision ? presentDecision(decision, actor) : null,
  };
}
export type PaymentsPage = Awaited<ReturnType<typeof loadPayments>>;

export async function loadAlerts(db: Db, now: Date) {
  const [faults, pause] = await Promise.all([listOperatorFaults(db), findPause(db, now)]);
  return {
    pauseReason: pause?.reason ?? null,
    faults: faults.map(({ key, message }) => ({ key, message })),
  };
}

/** Only the data of the open tab. */
export async function loadAdminPage(db: Db, actor: Actor, query: URLSearchParams, now: Date) {
  const tab = adminTabOf(query);
  const loadFor = <T>(tabs: AdminTab[], load: () => Promise<T>): Promise<T> | null =>
    tabs.includes(tab) ? load() : null;
  const [alerts, overview, pending, email, visits, users] = await Promise.all([
    loadAlerts(db, now),
    loadFor(['overview'], () => loadOverview(actor)),
    loadFor(['overview', 'payments'], () => loadPayments(db, actor, query, now)),
    loadFor(['email'], () => readReplica((replica) => loadEmail(replica, actor, now))),
    loadFor(['visits'], () => readReplica((replica) => loadVisits(replica, actor, query, now))),
    loadFor(['users'], () => loadUsers(db, actor, query, now)),
  ]);
  return { tab, ...alerts, overview, pending, email, visits, users };
}
