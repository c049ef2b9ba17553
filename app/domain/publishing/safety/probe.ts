import type { Db } from '#app/db/client.ts';
import { listAccessTokens } from '#app/domain/linkedin/access/any-tokens.ts';
import { clearClientFault, reportClientFault } from '#app/domain/linkedin/access/client-alert.ts';
import { listFaultKeys } from '#app/domain/platform/operator-alerts.ts';
import { clearVersion, reportEveryVersion, reportVersion } from '#app/domain/publishing/linkedin-alerts.ts';
import { env } from '#app/env.ts';
import { probeClient, probeVersion, type VersionProbe } from '#app/integrations/linkedin/probe.ts';

/**
 * Checks, with calls that change nothing, whether LinkedIn accepts each configured version and knows this application.
 * Reports what it refuses to the operator, and clears what it accepts.
 */
export async function probeLinkedIn(db: Db, now = new Date()): Promise<void> {
  const client = await probeClient();
  if (client === true) await clearClientFault(db);
  else if (client) await reportClientFault(db, client);
  await probeVersions(db, now);
}

/** Like `probeLinkedIn`, only while a fault of LinkedIn is reported. */
export async function probeWhileReported(db: Db, now = new Date()): Promise<void> {
  const keys = await listFaultKeys(db);
  if (keys.some((key) => key.startsWith('linkedin-'))) await probeLinkedIn(db, now);
}

async function probeVersions(db: Db, now: Date): Promise<void> {
  const tokens = await listAccessTokens(db, now);
  const refused: string[] = [];
  for (const version of env().LINKEDIN_VERSIONS) {
    const probe = await probeWithTokens(version, tokens);
    if (probe === 'active') await clearVersion(db, version);
    if (probe !== 'refused') continue;
    refused.push(version);
    await reportVersion(db, version, now);
  }
  if (refused.length === env().LINKEDIN_VERSIONS.length) await reportEveryVersion(db, now);
}

/** Probes a version with the first token that LinkedIn accepts. */
export async function probeWithTokens(version: string, tokens: string[]): Promise<VersionProbe> {
  for (const accessToken of tokens) {
    const probe = await probeVersion({ accessToken, version });
    if (probe !== 'token_refused') return probe;
  }
  return 'open';
}
