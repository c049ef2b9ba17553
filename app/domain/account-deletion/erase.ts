import { type Db, transact } from '#app/db/client.ts';
import {
  type Deletion,
  eraseUser,
  listDueDeletions,
  postponeErasing,
  startErasing,
} from '#app/domain/accounts/lifecycle/deletion-requests.ts';
import { lockUserIfExists } from '#app/domain/accounts/users.ts';
import { deleteMailsTo, queueMail } from '#app/domain/email/outbox.ts';
import { deleteUserFeedback } from '#app/domain/feedback/delete-user-data.ts';
import { revokeAccess } from '#app/domain/linkedin/connect/disconnect.ts';
import { deletePaymentData } from '#app/domain/payments/delete-user-data.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { forEachSettled } from '#app/domain/platform/for-each-settled.ts';
import { cancelJob, jobs } from '#app/domain/platform/jobs.ts';
import { erasePosts } from '#app/domain/posts/erase.ts';
import { deleteUserTickets } from '#app/domain/support/tickets.ts';
import { deleteClicksOf } from '#app/domain/visits/delete-clicks.ts';
import { eraseRuns } from '#app/domain/writing/runs/end.ts';

const RETRY_MS = 15 * 60_000;
/** How long an unavailable LinkedIn can delay a deletion. */
const LINKEDIN_GRACE_MS = 24 * 60 * 60_000;

/** Every step can run twice. The deletion's row is deleted last, so the next run continues after a kill. */
export async function eraseDue(db: Db, now = new Date()): Promise<void> {
  await forEachSettled(await listDueDeletions(db, now), (deletion) => erase(db, deletion, now));
}

async function erase(db: Db, { userId, eraseAt }: Deletion, now: Date): Promise<void> {
  if (!(await transact(db, (trx) => startErasing(trx, userId, now)))) return;
  // Posts and runs can be many: batches keep transactions short.
  while ((await erasePosts(db, userId)) > 0);
  while ((await eraseRuns(db, userId)) > 0);
  const isLastAttempt = now.getTime() - eraseAt.getTime() >= LINKEDIN_GRACE_MS;
  if (await revokeAccess(db, userId, { isLastAttempt })) await eraseRest(db, userId, now);
  else await postponeErasing(db, userId, new Date(now.getTime() + RETRY_MS));
}

async function eraseRest(db: Db, userId: string, now: Date): Promise<void> {
  await transact(db, async (trx) => {
    const user = await lockUserIfExists(trx, userId);
    // Another process may have deleted the user.
    if (!user) return;
    const { id, name, email } = user;
    await deletePaymentData(trx, userId, now);
    await deleteMailsTo(trx, email);
    await deleteUserTickets(trx, { id, email });
    await deleteClicksOf(trx, email);
    await deleteUserFeedback(trx, userId);
    await cancelJob(trx, jobs.refitQueue, { userId });
    await eraseUser(trx, { id, email });
    await queueMail(trx, { address: email, userId: null }, 'accountDeleted', { name });
    emitEvent('deletion_done', { userId }, trx);
  });
}
