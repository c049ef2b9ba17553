import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { databaseAddress, env } from '#app/env.ts';
import { type DatabaseUrls, urlsForRoles } from '#scripts/database-roles.ts';
import { startPostgres } from '#scripts/postgres/postgres.ts';
import { ROOT } from '#scripts/run.ts';
import { freePort, isFree } from './ports.ts';

const DATA = path.join(ROOT, '.data');
export const CLUSTER = path.join(DATA, 'postgres');

/** Variables of the environment win over those of .env. */
export function readEnvFile(): void {
  const file = path.join(ROOT, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
}

/** Checks only the database URLs: commands need no other configuration. */
function requireDatabaseUrls(...names: string[]): void {
  for (const name of names) {
    const { error } = databaseAddress.optional().safeParse(process.env[name] || undefined);
    if (error) throw new Error(`${name} ${error.issues[0]!.message}.`);
  }
}

/** The database of the environment, if it names one. */
export function configuredDatabase(url = process.env.DATABASE_URL): DatabaseUrls | undefined {
  const { DATABASE_WORKER_URL, DATABASE_OWNER_URL, DATABASE_READ_URL } = process.env;
  if (!url) return undefined;
  requireDatabaseUrls('DATABASE_URL', 'DATABASE_WORKER_URL', 'DATABASE_OWNER_URL', 'DATABASE_READ_URL');
  return {
    url,
    ownerUrl: DATABASE_OWNER_URL || url,
    workerUrl: DATABASE_WORKER_URL || url,
    ...(DATABASE_READ_URL && { readUrl: DATABASE_READ_URL }),
  };
}

/**
 * The database for a command: that of the environment or .env, otherwise the embedded one of `npm start`, which is started
 * for the command when it is not running. Production has no default. `dataFolder` is set for the embedded one.
 */
export async function commandDatabase(): Promise<
  DatabaseUrls & { dataFolder?: string; stop(): Promise<void> }
> {
  readEnvFile();
  const { DATABASE_URL, NODE_ENV } = process.env;
  const configured = configuredDatabase(
    DATABASE_URL || (NODE_ENV === 'production' ? env().DATABASE_URL : ''),
  );
  if (configured) return { ...configured, stop: async () => {} };
  const postgres = await startPostgres({ dataDir: CLUSTER, durable: true });
  return { ...urlsForRoles(postgres.url()), dataFolder: postgres.home, stop: () => postgres.stop() };
}

/**
 * Returns the port that the variable `name` sets, otherwise the usual one, or a free one when that is taken. Throws when
 * the set port is taken.
 */
export async function choosePort(
  name: string,
  usual: number,
  print: (message: string) => void,
): Promise<number> {
  const configured = process.env[name];
  if (!configured) {
    if (await isFree(usual)) return usual;
    const port = await freePort();
    print(`Port ${usual} is taken by another program, so ${name} is ${port} this time.`);
    return port;
  }
  const port = Number(configured);
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new Error(`${name} must be a whole number between 1 and 65535, not "${configured}".`);
  }
  if (!(await isFree(port)))
    throw new Error(`Port ${port} (${name}) is taken by another program, or not allowed.`);
  return port;
}

/** Created at the first start and stored, so that encrypted values can be decrypted at the next one. */
export function secretKeys(): string {
  const file = path.join(DATA, 'secret-keys');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  mkdirSync(DATA, { recursive: true });
  const keys = `k1:${randomBytes(32).toString('base64')}`;
  writeFileSync(file, `${keys}\n`, { mode: 0o600 });
  return keys;
}

/** The environment variables that replace all remote services by the sandbox. */
export function sandboxAddresses(http: string, smtp: string): Record<string, string> {
  const mail = new URL(smtp);
  // The sandbox's mail server has a self-signed certificate.
  mail.searchParams.set('tls.rejectUnauthorized', 'false');
  return {
    LINKEDIN_AUTH_URL: `${http}/linkedin`,
    LINKEDIN_API_URL: `${http}/linkedin-api`,
    GOOGLE_ISSUER_URL: `${http}/google`,
    OPENAI_BASE_URL: `${http}/openai/v1`,
    SMTP_URL: mail.href,
  };
}

const addressFile = (folder: string) => path.join(folder, 'outside.json');

/** Stores where the sandbox of `npm start` listens, for other commands. */
export function saveSandboxAddresses(addresses: Record<string, string>, folder = DATA): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(addressFile(folder), JSON.stringify(addresses));
}

/** The addresses that the last `npm start` saved; empty for a command that uses another database. */
export function savedSandboxAddresses(folder = DATA): Record<string, string> {
  const isLocalDatabase = !process.env.DATABASE_URL && process.env.NODE_ENV !== 'production';
  const file = addressFile(folder);
  return isLocalDatabase && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** The variables of the environment win over `defaults`; an empty string counts as not set. */
export function withEnvironment(defaults: Record<string, string>): NodeJS.ProcessEnv {
  const set = Object.entries(process.env).filter(([, value]) => value !== undefined && value !== '');
  return { ...defaults, ...Object.fromEntries(set) };
}
