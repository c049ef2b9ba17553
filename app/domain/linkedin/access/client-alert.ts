import type { Db } from '#app/db/client.ts';
import { clearFaults, reportFault } from '#app/domain/platform/operator-alerts.ts';
import type { LinkedInRefused } from '#app/integrations/linkedin/oauth.ts';

const FAULT = 'linkedin-client';
const WORDS_MAX = 200;

/** LinkedIn refuses this application itself, whoever the member is: only the operator can mend it. */
export async function reportClientFault(db: Db, { code, message }: LinkedInRefused): Promise<void> {
  const words = `${code}: ${message}`.replace(/\p{Cc}+/gu, ' ').slice(0, WORDS_MAX);
  const advice = 'Check LINKEDIN_CLIENT_ID, LINKEDIN_CLIENT_SECRET and the redirect address at LinkedIn';
  await reportFault(db, FAULT, `LinkedIn refuses this application (${words}). ${advice}.`);
}

/** LinkedIn has given this application a token. */
export const clearClientFault = (db: Db) => clearFaults(db, FAULT);
