import { probeWithTokens } from '#app/domain/publishing/safety/probe.ts';
import { env } from '#app/env.ts';
import { callRemote } from '#app/integrations/http/call.ts';
import type { VersionProbe } from '#app/integrations/linkedin/probe.ts';
import { checkMail } from '#app/integrations/mail.ts';
import { listModels } from '#app/integrations/openai/ask.ts';
import { type Check, CheckFailure } from './look.ts';

/** LinkedIn supports a version for at least one year; a new one should be configured well before it ends. */
const OLDEST_MONTHS = 11;
const TIMEOUT_MS = 15_000;

function monthsSince(version: string, now: Date): number {
  const [year, month] = [Number(version.slice(0, 4)), Number(version.slice(4))];
  return (now.getUTCFullYear() - year) * 12 + now.getUTCMonth() + 1 - month;
}

async function versions(): Promise<string> {
  const list = env().LINKEDIN_VERSIONS;
  const newest = list.toSorted().at(-1)!;
  const months = monthsSince(newest, new Date());
  const fix = 'Put a newer version first in LINKEDIN_VERSIONS.';
  if (months >= OLDEST_MONTHS) throw new CheckFailure(`The newest, ${newest}, is ${months} months old`, fix);
  if (months < 0)
    throw new CheckFailure(
      `${newest} lies in the future`,
      'Put a version first that LinkedIn has published.',
    );
  return `${list.join(', ')}; the newest is ${months} months old`;
}

/** A status below 500 is enough, because the request has no credentials. */
async function requireReachable(name: string, url: string): Promise<void> {
  const { status } = await callRemote({ method: 'GET', url, timeoutMs: TIMEOUT_MS });
  if (status >= 500)
    throw new CheckFailure(`${new URL(url).host} answered ${status}`, `Check ${name}, or wait for LinkedIn.`);
}

/** `tokens`: access tokens of some members. LinkedIn tells supported versions only for a request with one. */
async function linkedIn(tokens: string[]): Promise<string> {
  await requireReachable('LINKEDIN_API_URL', `${env().LINKEDIN_API_URL}/v2/userinfo`);
  await requireReachable('LINKEDIN_AUTH_URL', `${env().LINKEDIN_AUTH_URL}/oauth/v2/authorization`);
  const { LINKEDIN_VERSIONS, LINKEDIN_API_URL } = env();
  const answers = `${new URL(LINKEDIN_API_URL).host} answers`;
  if (tokens.length === 0)
    return `${answers}; its versions can be tried once somebody has connected LinkedIn`;
  const probes = await Promise.all(
    LINKEDIN_VERSIONS.map(async (version) => ({ version, probe: await probeWithTokens(version, tokens) })),
  );
  const versionsWith = (probe: VersionProbe) =>
    probes.flatMap((each) => (each.probe === probe ? [each.version] : [])).join(', ');
  const [refused, active] = [versionsWith('refused'), versionsWith('active')];
  if (refused) {
    throw new CheckFailure(
      `LinkedIn refuses version ${refused}`,
      'Put newer ones in LINKEDIN_VERSIONS, newest first, and leave out what it refuses.',
    );
  }
  return active ? `${answers}, and takes ${active}` : `${answers}, but did not tell which versions it takes`;
}

async function mail(): Promise<string> {
  await checkMail();
  return `${new URL(env().SMTP_URL).host} takes mails`;
}

async function writer(): Promise<string> {
  const { OPENAI_MODEL, OPENAI_BASE_URL, OPENAI_API_VERSION } = env();
  const models = await listModels();
  // Azure lists models, but OPENAI_MODEL names a deployment.
  if (OPENAI_API_VERSION) return `${new URL(OPENAI_BASE_URL).host} answers`;
  // Ollama accepts a model's name without its tag.
  if (!models.includes(OPENAI_MODEL) && !models.includes(`${OPENAI_MODEL}:latest`)) {
    throw new CheckFailure(
      `The server has no model ${OPENAI_MODEL}`,
      `Set OPENAI_MODEL to one of its own: ${models.slice(0, 5).join(', ')}.`,
    );
  }
  return `${new URL(OPENAI_BASE_URL).host} has ${OPENAI_MODEL}`;
}

export const outsideChecks = (tokens: string[]): Check[] => [
  { name: 'versions', fix: 'Check LINKEDIN_VERSIONS.', run: versions },
  {
    name: 'linkedin',
    fix: 'Check LINKEDIN_API_URL, LINKEDIN_AUTH_URL and the way out of this network.',
    run: () => linkedIn(tokens),
  },
  { name: 'writer', fix: 'Check OPENAI_API_KEY, OPENAI_BASE_URL and the quota.', run: writer },
  { name: 'mail', fix: 'Check SMTP_URL: host, port, user and password.', run: mail },
];
