import { type Db, type Trx, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { countOtherAdmins, lockAdmins } from '#app/domain/accounts/admins.ts';
import {
  cancelScheduledDeletion,
  type Deletion,
  scheduleDeletion,
} from '#app/domain/accounts/lifecycle/deletion-requests.ts';
import { lockUser, mailUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatInMail } from '#app/domain/platform/dates.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { stopRunsOf } from '#app/domain/writing/runs/cancel.ts';
import { env } from '#app/env.ts';
import { cancelDeletionUrl } from './cancel-link.ts';

async function refuseLastAdmin(trx: Trx, { userId, isAdmin }: Actor): Promise<void> {
  if (!isAdmin) return;
  await lockAdmins(trx);
  if ((await countOtherAdmins(trx, userId)) > 0) return;
  const message = 'You are the only administrator. Make somebody else one before you delete your account';
  throw new Refusal(409, 'last_admin', message);
}

/** Mails a link that cancels the deletion, and ends all sessions except `sessionId`. Reauthenticate the user first. */
export async function requestDeletion(
  db: Db,
  actor: Actor,
  sessionId: string | null,
  at?: Date,
): Promise<Deletion> {
  const { userId, timeZone } = actor;
  return transact(db, async (trx) => {
    await refuseLastAdmin(trx, actor);
    await lockUser(trx, userId);
    const now = at ?? (await databaseTime(trx));
    const deletion = await scheduleDeletion(trx, userId, sessionId, now);
    await stopRunsOf(trx, userId, now);
    const data = { at: formatInMail(deletion.eraseAt, timeZone), url: cancelDeletionUrl(deletion) };
    await mailUser(trx, userId, 'deletionBegun', data);
    emitEvent('deletion_begun', { userId }, trx);
    return deletion;
  });
}

/** Cancels a scheduled deletion. A job reschedules the posts that were held meanwhile. */
export async function cancelDeletion(db: Db, userId: string): Promise<void> {
  await transact(db, async (trx) => {
    await lockUser(trx, userId);
    if (!(await cancelScheduledDeletion(trx, userId))) {
      throw new Refusal(409, 'not_leaving', 'This account is not waiting to be deleted any more');
    }
    await enqueue(trx, jobs.refitQueue, { userId });
    emitEvent('deletion_undone', { userId }, trx);
    await mailUser(trx, userId, 'accountKept', { url: `${env().APP_URL}/app/dashboard` });
  });
}
