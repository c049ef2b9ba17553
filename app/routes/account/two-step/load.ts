import { db } from '#app/db/client.ts';
import { listPasskeys } from '#app/domain/accounts/two-step/passkeys.ts';
import { findFactors, hasFactor, lacksSecondStep } from '#app/domain/accounts/two-step/verify.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate, formatMinute } from '#app/domain/platform/dates.ts';

export async function loadTwoStep(actor: Actor) {
  const [factors, passkeys, isMissing] = await Promise.all([
    findFactors(db(), actor.userId),
    listPasskeys(db(), actor),
    lacksSecondStep(db(), actor),
  ]);
  return {
    isOn: hasFactor(factors),
    hasApp: factors.hasApp,
    codesLeft: factors.recoveryCodes,
    /** An admin without one: the admin pages are closed. */
    isMissing,
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      created: formatDate(createdAt, actor.timeZone),
      lastUsed: lastUsedAt && formatMinute(lastUsedAt, actor.timeZone),
    })),
  };
}
export type TwoStep = Awaited<ReturnType<typeof loadTwoStep>>;
