import { type Db, transact } from '#app/db/client.ts';
import {
  beginErasing,
  type Deletion,
  eraseUser,
  listDueDeletions,
  putOffErasing,
} from '#app/domain/accounts/lifecycle/deletion-requests.ts';
import { lockUserIfThere } from '#app/domain/accounts/users.ts';
import { forgetMailsTo, queueMail } from '#app/domain/email/outbox.ts';
import { forgetFeedback } from '#app/domain/feedback/forget-feedback.ts';
import { endAccess } from '#app/domain/linkedin/connect/disconnect.ts';
import { forgetPayer } from '#app/domain/payments/delete-user-data.ts';
import { tellEvent } from '#app/domain/platform/events.ts';
import { eachAlone } from '#app/domain/platform/for-each-settled.ts';
import { cancelJob, jobs } from '#app/domain/platform/jobs.ts';
import { erasePosts } from '#app/domain/posts/erase.ts';
import { forgetTickets } from '#app/domain/support/support-tickets.ts';
import { forgetClicksOf } from '#app/domain/visits/forget-clicks.ts';
import { eraseRuns } from '#app/domain/writing/runs/erase-runs.ts';

const RETRY_MS = 15 * 60_000;
/** LinkedIn that is away holds nothing up for longer. */
const PATIENCE_MS = 24 * 60 * 60_000;

/**
 * Deletes the accounts whose days are over. Each step can be done twice, and what is left after a kill is found again by
 * the row of the deletion, which goes with the user as the last of all.
 */
export async function eraseDue(db: Db, now = new Date()): Promise<void> {
  await eachAlone(await listDueDeletions(db, now), (deletion) => erase(db, deletion, now));
}

async function erase(db: Db, { userId, eraseAt }: Deletion, now: Date): Promise<void> {
  if (!(await transact(db, (trx) => beginErasing(trx, userId, now)))) return;
  // What there can be many of, some at a time: nobody waits for one long transaction.
  while ((await erasePosts(db, userId)) > 0);
  while ((await eraseRuns(db, userId)) > 0);
  const isLast = now.getTime() - eraseAt.getTime() >= PATIENCE_MS;
  if (await endAccess(db, userId, { isLast })) await eraseRest(db, userId, now);
  else await putOffErasing(db, userId, new Date(now.getTime() + RETRY_MS));
}

async function eraseRest(db: Db, userId: string, now: Date): Promise<void> {
  await transact(db, async (trx) => {
    const user = await lockUserIfThere(trx, userId);
    // Another process may have been quicker.
    if (!user) return;
    const { id, name, email } = user;
    await forgetPayer(trx, userId, now);
    await forgetMailsTo(trx, email);
    await forgetTickets(trx, { id, email });
    await forgetClicksOf(trx, email);
    await forgetFeedback(trx, userId);
    await cancelJob(trx, jobs.refitQueue, { userId });
    await eraseUser(trx, { id, email });
    await queueMail(trx, { address: email, userId: null }, 'accountDeleted', { name });
    tellEvent('deletion_done', { userId }, trx);
  });
}
