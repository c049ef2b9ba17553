import { probeWithTokens } from '#app/domain/publishing/safety/probe.ts';
import { env } from '#app/env.ts';
import { callRemote } from '#app/integrations/http/call.ts';
import type { VersionProbe } from '#app/integrations/linkedin/probe.ts';
import { checkMail } from '#app/integrations/mail.ts';
import { listModels } from '#app/integrations/openai/ask.ts';
import { type Check, Fault } from './look.ts';

/** LinkedIn answers for a version for at least a year; a new one should be first well before that. */
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
  const cure = 'Put a newer version first in LINKEDIN_VERSIONS.';
  if (months >= OLDEST_MONTHS) throw new Fault(`The newest, ${newest}, is ${months} months old`, cure);
  if (months < 0)
    throw new Fault(`${newest} lies in the future`, 'Put a version first that LinkedIn has published.');
  return `${list.join(', ')}; the newest is ${months} months old`;
}

/** Any answer below 500 shows that it is there: nobody is signed in here. */
async function answersAt(name: string, url: string): Promise<void> {
  const { status } = await callRemote({ method: 'GET', url, timeoutMs: TIMEOUT_MS });
  if (status >= 500)
    throw new Fault(`${new URL(url).host} answered ${status}`, `Check ${name}, or wait for LinkedIn.`);
}

/** `tokens` are those of some members: without one LinkedIn does not say what it thinks of a version. */
async function linkedIn(tokens: string[]): Promise<string> {
  await answersAt('LINKEDIN_API_URL', `${env().LINKEDIN_API_URL}/v2/userinfo`);
  await answersAt('LINKEDIN_AUTH_URL', `${env().LINKEDIN_AUTH_URL}/oauth/v2/authorization`);
  const { LINKEDIN_VERSIONS, LINKEDIN_API_URL } = env();
  const answers = `${new URL(LINKEDIN_API_URL).host} answers`;
  if (tokens.length === 0)
    return `${answers}; its versions can be tried once somebody has connected LinkedIn`;
  const found = await Promise.all(
    LINKEDIN_VERSIONS.map(async (version) => ({ version, probe: await probeWithTokens(version, tokens) })),
  );
  const listOf = (probe: VersionProbe) =>
    found.flatMap((each) => (each.probe === probe ? [each.version] : [])).join(', ');
  const [refused, active] = [listOf('refused'), listOf('active')];
  if (refused) {
    throw new Fault(
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
  // Azure lists models, and not the deployments that are asked for.
  if (OPENAI_API_VERSION) return `${new URL(OPENAI_BASE_URL).host} answers`;
  // Ollama knows a model without its tag as well.
  if (!models.includes(OPENAI_MODEL) && !models.includes(`${OPENAI_MODEL}:latest`)) {
    throw new Fault(
      `The server has no model ${OPENAI_MODEL}`,
      `Set OPENAI_MODEL to one of its own: ${models.slice(0, 5).join(', ')}.`,
    );
  }
  return `${new URL(OPENAI_BASE_URL).host} has ${OPENAI_MODEL}`;
}

/** What lies outside of our own machines. */
export const outsideChecks = (tokens: string[]): Check[] => [
  { name: 'versions', cure: 'Check LINKEDIN_VERSIONS.', look: versions },
  {
    name: 'linkedin',
    cure: 'Check LINKEDIN_API_URL, LINKEDIN_AUTH_URL and the way out of this network.',
    look: () => linkedIn(tokens),
  },
  { name: 'writer', cure: 'Check OPENAI_API_KEY, OPENAI_BASE_URL and the quota.', look: writer },
  { name: 'mail', cure: 'Check SMTP_URL: host, port, user and password.', look: mail },
];
