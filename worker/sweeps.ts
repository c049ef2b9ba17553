import type { Db } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { eraseDue } from '#app/domain/account-deletion/erase.ts';
import { cleanUp } from '#app/domain/accounts/cleanup.ts';
import { deleteOldMails, resumeMails } from '#app/domain/email/sweep.ts';
import { clearMissingKey } from '#app/domain/linkedin/access/missing-key.ts';
import { checkQuota } from '#app/domain/linkedin/daily-quota.ts';
import { deleteExpiredPendingConnections, endExpiredConnections } from '#app/domain/linkedin/sweep.ts';
import { deleteOldDeadJobs } from '#app/domain/operations/dead-jobs.ts';
import { reconcilePayments } from '#app/domain/payments/ledger/reconcile.ts';
import { endPlans, warnEndingPlans } from '#app/domain/payments/subscription/expiry.ts';
import { deleteOldKeys } from '#app/domain/platform/idempotency-keys.ts';
import { reconcileCounts } from '#app/domain/posts/counts/counts.ts';
import { countPublished } from '#app/domain/posts/counts/published-totals.ts';
import { copyPictures } from '#app/domain/posts/landing/images.ts';
import { setAsideUnapproved } from '#app/domain/publishing/approval/approve.ts';
import { mailApprovalRequests } from '#app/domain/publishing/approval/request.ts';
import { countDays } from '#app/domain/publishing/daily-stats.ts';
import { clearOldOrphans, clearOldVersions, clearPastLimit } from '#app/domain/publishing/linkedin-alerts.ts';
import { probeWhileReported } from '#app/domain/publishing/safety/probe.ts';
import { releaseUnchosen } from '#app/domain/publishing/slots/missed-while-disconnected.ts';
import { releaseHeldEligible, sweepAttempts } from '#app/domain/publishing/sweep.ts';
import { warnEndingConnections } from '#app/domain/publishing/warn-expiring-connection.ts';
import { deleteOldTickets } from '#app/domain/support/tickets.ts';
import { deleteOldClicks } from '#app/domain/visits/delete-clicks.ts';
import { deleteOldVisits } from '#app/domain/visits/delete-visits.ts';
import { maintainVisitMonths } from '#app/domain/visits/visit-months.ts';
import { resumeWebhooks } from '#app/domain/webhooks/deliver.ts';
import { deleteOldDeliveries } from '#app/domain/webhooks/deliveries.ts';
import { deleteOldSecrets } from '#app/domain/webhooks/endpoints.ts';
import { resumeRuns } from '#app/domain/writing/sweep.ts';
import { deleteOldUsage } from '#app/domain/writing/usage.ts';
import { logger } from '#app/log.ts';

/** Finds unfinished work in one feature's tables and resumes it. Two processes may run the same sweep concurrently. */
type Sweep = (db: Db, now: Date) => Promise<unknown>;
export type Sweeps = Readonly<Record<string, Sweep>>;

async function repairCounts(db: Db, now: Date): Promise<void> {
  const differences = await reconcileCounts(db, now);
  if (differences.length > 0)
    logger().error({ differences }, 'kept counts of posts were wrong and are set right');
}

async function reconcileSums(db: Db): Promise<void> {
  const wrong = await reconcilePayments(db, await databaseTime(db));
  if (wrong.sums + wrong.plans > 0)
    logger().error(wrong, 'what is kept of payments was wrong and is set right');
}

/** By the tick that runs them. */
export const SWEEPS = {
  publishing: {
    attempts: sweepAttempts,
    'old versions': clearOldVersions,
    'past limit': clearPastLimit,
  },
  everyMinute: {
    unapproved: setAsideUnapproved,
    'approvals to ask for': mailApprovalRequests,
    held: releaseHeldEligible,
    missed: releaseUnchosen,
    runs: resumeRuns,
    mails: resumeMails,
    webhooks: async (db) => resumeWebhooks(db, await databaseTime(db)),
    'ended plans': endPlans,
    'ended connections': endExpiredConnections,
    'missing key': clearMissingKey,
    'pictures of the start page': async (db) => copyPictures(db, await databaseTime(db)),
    'LinkedIn budget': checkQuota,
    'accounts to delete': async (db) => eraseDue(db, await databaseTime(db)),
  },
  hourly: {
    'ending plans': warnEndingPlans,
    'ending connections': warnEndingConnections,
    'LinkedIn faults': probeWhileReported,
    clicks: async (db) => deleteOldClicks(db, await databaseTime(db)),
    'published totals': async (db) => countPublished(db, await databaseTime(db)),
    'published days': async (db) => countDays(db, await databaseTime(db)),
    visits: async (db) => deleteOldVisits(db, await databaseTime(db)),
    // Hourly: a nightly dump can last for hours, and no month can be created or dropped during it.
    'months of visits': async (db) => maintainVisitMonths(db, await databaseTime(db)),
  },
  daily: {
    accounts: async (db) => cleanUp(db, await databaseTime(db)),
    'linkedin offers': deleteExpiredPendingConnections,
    'old mails': deleteOldMails,
    requests: async (db) => deleteOldTickets(db, await databaseTime(db)),
    'deliveries to programs': async (db) => deleteOldDeliveries(db, await databaseTime(db)),
    'secrets of webhooks': async (db) => deleteOldSecrets(db, await databaseTime(db)),
    'answers to programs': async (db) => deleteOldKeys(db, await databaseTime(db)),
    'failed jobs': async (db) => deleteOldDeadJobs(db, await databaseTime(db)),
    'usage of the writer': async (db) => deleteOldUsage(db, await databaseTime(db)),
    'lost posts': clearOldOrphans,
    'kept counts': repairCounts,
    'kept sums': reconcileSums,
  },
} satisfies Record<string, Sweeps>;

/**
 * Runs sweeps concurrently; one that fails or is slow stops no other. Logs each failure with the name of its sweep, then
 * throws all of them as one AggregateError.
 */
export async function runSweeps(sweeps: Sweeps, db: Db, now: Date): Promise<void> {
  const failures: Error[] = [];
  const runOne = async ([name, sweep]: [string, Sweep]) => {
    try {
      await sweep(db, now);
    } catch (error) {
      logger().error({ err: error, sweep: name }, `the sweep of ${name} failed`);
      failures.push(new Error(`The sweep of ${name} failed`, { cause: error }));
    }
  };
  await Promise.all(Object.entries(sweeps).map(runOne));
  if (failures.length > 0) {
    throw new AggregateError(failures, failures.map(({ message }) => message).join('. '));
  }
}
