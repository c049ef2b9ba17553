import type { Db } from '#app/db/client.ts';
import { clearFaults, listFaultKeys, reportFault } from '#app/domain/platform/operator-alerts.ts';
import { keyIdOf, type SecretUnreadable } from '#app/domain/platform/secrets.ts';
import { env } from '#app/env.ts';

const FAULT = 'secret-keys';

export const reportMissingKey = (db: Db, { message }: SecretUnreadable) => reportFault(db, FAULT, message);

/** Clears the alert when the keys of all stored tokens are configured. */
export async function clearMissingKey(db: Db): Promise<void> {
  if (!(await listFaultKeys(db)).includes(FAULT)) return;
  const configured = new Set(env().SECRET_KEYS.map(({ id }) => id));
  const stored = await db
    .selectFrom('linkedinConnections')
    .select(({ ref }) => keyIdOf(ref('accessTokenSealed')).as('keyId'))
    .distinct()
    .where('status', '=', 'alive')
    .execute();
  if (stored.every(({ keyId }) => configured.has(keyId))) await clearFaults(db, FAULT);
}
