import type { Db } from '#app/db/client.ts';
import { listAccessTokens } from '#app/domain/linkedin/access/any-tokens.ts';
import { clearClientFault, reportClientFault } from '#app/domain/linkedin/access/client-alert.ts';
import { listFaultKeys } from '#app/domain/platform/operator-alerts.ts';
import { clearVersion, reportEveryVersion, reportVersion } from '#app/domain/publishing/faults.ts';
import { env } from '#app/env.ts';
import { probeClient, probeVersion, type VersionProbe } from '#app/integrations/linkedin/probe.ts';

/**
 * Asks LinkedIn harmlessly whether it takes each configured version and knows this application. What it refuses
 * is reported to the operator, what it takes is reported no longer, and no member notices.
 */
export async function probeLinkedIn(db: Db, now = new Date()): Promise<void> {
  const client = await probeClient();
  if (client === true) await clearClientFault(db);
  else if (client) await reportClientFault(db, client);
  await probeVersions(db, now);
}

/** As `probeLinkedIn`, while something about LinkedIn is reported. */
export async function probeReported(db: Db, now = new Date()): Promise<void> {
  const keys = await listFaultKeys(db);
  if (keys.some((key) => key.startsWith('linkedin-'))) await probeLinkedIn(db, now);
}

async function probeVersions(db: Db, now: Date): Promise<void> {
  const tokens = await listAccessTokens(db, now);
  const refused: string[] = [];
  for (const version of env().LINKEDIN_VERSIONS) {
    const found = await askAbout(version, tokens);
    if (found === 'active') await clearVersion(db, version);
    if (found !== 'refused') continue;
    refused.push(version);
    await reportVersion(db, version, now);
  }
  if (refused.length === env().LINKEDIN_VERSIONS.length) await reportEveryVersion(db, now);
}

/** A token that is refused says nothing about the version: the next one is asked with. */
export async function askAbout(version: string, tokens: string[]): Promise<VersionProbe> {
  for (const accessToken of tokens) {
    const found = await probeVersion({ accessToken, version });
    if (found !== 'token_refused') return found;
  }
  return 'open';
}
