import type { Db } from '#app/db/client.ts';
import { clearFaults, reportFault } from '#app/domain/platform/operator-alerts.ts';
import type { LinkedInRefused } from '#app/integrations/linkedin/oauth.ts';

const FAULT = 'linkedin-client';
const REASON_MAX = 200;

/** LinkedIn refuses the application itself, for every member: only an operator can fix it. */
export async function reportClientFault(db: Db, { code, message }: LinkedInRefused): Promise<void> {
  const reason = `${code}: ${message}`.replace(/\p{Cc}+/gu, ' ').slice(0, REASON_MAX);
  const advice = 'Check LINKEDIN_CLIENT_ID, LINKEDIN_CLIENT_SECRET and the redirect address at LinkedIn';
  await reportFault(db, FAULT, `LinkedIn refuses this application (${reason}). ${advice}.`);
}

export const clearClientFault = (db: Db) => clearFaults(db, FAULT);
