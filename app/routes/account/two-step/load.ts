import { db } from '#app/db/client.ts';
import { listPasskeys } from '#app/domain/accounts/two-step/passkeys.ts';
import { findFactors, hasFactor, lacksSecondStep } from '#app/domain/accounts/two-step/verify.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate, formatMinute } from '#app/domain/platform/dates.ts';

/** What the cards of the second step show. */
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
    /** An admin whose pages are closed until there is one. */
    isMissing,
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      made: formatDate(createdAt, actor.timeZone),
      used: lastUsedAt && formatMinute(lastUsedAt, actor.timeZone),
    })),
  };
}
export type TwoStep = Awaited<ReturnType<typeof loadTwoStep>>;
