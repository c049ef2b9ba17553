import { type Db, transact } from '#app/db/client.ts';
import { countOtherAdmins, lockAdmins } from '#app/domain/accounts/admins.ts';
import { recordAdminAction } from '#app/domain/accounts/audit-log.ts';
import { markDisabled, unmarkDisabled } from '#app/domain/accounts/lifecycle/disable.ts';
import { mailUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { stopRunsOf } from '#app/domain/writing/runs/cancel.ts';
import { env } from '#app/env.ts';

/** Disables an account immediately: ends its sessions, stops its automation and mails the reason to the user. */
export async function disableAccount(
  db: Db,
  admin: Actor,
  { userId, reason }: { userId: string; reason: string },
  now = new Date(),
): Promise<void> {
  if (userId === admin.userId) {
    throw new Refusal(409, 'own_account', 'You cannot disable your own account');
  }
  await transact(db, async (trx) => {
    await lockAdmins(trx);
    const { isAdmin } = await markDisabled(trx, { userId, reason }, now);
    if (isAdmin && (await countOtherAdmins(trx, userId)) === 0)
      throw new Refusal(
        409,
        'last_admin',
        'This is the only administrator who stays. Keep your own account first',
      );
    await stopRunsOf(trx, userId, now);
    await mailUser(trx, userId, 'accountDisabled', { reason, support: env().SUPPORT_EMAIL });
    const entry = { action: 'account.disabled', subjectId: userId, detail: { reason } };
    await recordAdminAction(trx, admin, entry, now);
  });
}

export async function enableAccount(db: Db, admin: Actor, userId: string, now = new Date()): Promise<void> {
  await transact(db, async (trx) => {
    const { disabledAt, reason } = await unmarkDisabled(trx, userId);
    await enqueue(trx, jobs.refitQueue, { userId });
    await mailUser(trx, userId, 'accountEnabled', { url: new URL('/login', env().APP_URL).href });
    const entry = {
      action: 'account.enabled',
      subjectId: userId,
      detail: {},
      before: { disabledAt, reason },
    };
    await recordAdminAction(trx, admin, entry, now);
  });
}
