import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { databaseAddress, env } from '#app/env.ts';
import { type Addresses, addressesOf } from '#scripts/database-roles.ts';
import { startPostgres } from '#scripts/postgres/postgres.ts';
import { ROOT } from '#scripts/run.ts';
import { freePort, isFree } from './ports.ts';

const DATA = path.join(ROOT, '.data');
export const CLUSTER = path.join(DATA, 'postgres');

/** What the file .env says, where the environment says nothing. */
export function readEnvFile(): void {
  const file = path.join(ROOT, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
}

/** A command needs no more of the configuration than this. */
function requireAddresses(...names: string[]): void {
  for (const name of names) {
    const { error } = databaseAddress.optional().safeParse(process.env[name] || undefined);
    if (error) throw new Error(`${name} ${error.issues[0]!.message}.`);
  }
}

/** The addresses of the environment, where it names a database. */
export function namedDatabase(url = process.env.DATABASE_URL): Addresses | undefined {
  const { DATABASE_WORKER_URL, DATABASE_OWNER_URL, DATABASE_READ_URL } = process.env;
  if (!url) return undefined;
  requireAddresses('DATABASE_URL', 'DATABASE_WORKER_URL', 'DATABASE_OWNER_URL', 'DATABASE_READ_URL');
  return {
    url,
    ownerUrl: DATABASE_OWNER_URL || url,
    workerUrl: DATABASE_WORKER_URL || url,
    ...(DATABASE_READ_URL && { readUrl: DATABASE_READ_URL }),
  };
}

/**
 * The database a command works on: the one of the environment or of .env, or the one of `npm start`, which is
 * started for the command when it is not running. Production has no default. `ownerUrl`: for who changes tables.
 * `dataFolder`: where the one of `npm start` has its data.
 */
export async function commandDatabase(): Promise<Addresses & { dataFolder?: string; stop(): Promise<void> }> {
  readEnvFile();
  const { DATABASE_URL, NODE_ENV } = process.env;
  const named = namedDatabase(DATABASE_URL || (NODE_ENV === 'production' ? env().DATABASE_URL : ''));
  if (named) return { ...named, stop: async () => {} };
  const postgres = await startPostgres({ dataDir: CLUSTER, durable: true });
  return { ...addressesOf(postgres.url()), dataFolder: postgres.home, stop: () => postgres.stop() };
}

/**
 * The port a part listens on: the one the environment names, or the usual one, or a free one when the
 * usual one is taken. A named port that is taken is an error.
 */
export async function choosePort(
  name: string,
  usual: number,
  say: (sentence: string) => void,
): Promise<number> {
  const named = process.env[name];
  if (!named) {
    if (await isFree(usual)) return usual;
    const port = await freePort();
    say(`Port ${usual} is taken by another program, so ${name} is ${port} this time.`);
    return port;
  }
  const port = Number(named);
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new Error(`${name} must be a whole number between 1 and 65535, not "${named}".`);
  }
  if (!(await isFree(port)))
    throw new Error(`Port ${port} (${name}) is taken by another program, or not allowed.`);
  return port;
}

/** Made at the first start and kept, so that what was encrypted stays readable. */
export function secretKeys(): string {
  const file = path.join(DATA, 'secret-keys');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  mkdirSync(DATA, { recursive: true });
  const keys = `k1:${randomBytes(32).toString('base64')}`;
  writeFileSync(file, `${keys}\n`, { mode: 0o600 });
  return keys;
}

/** Where the outside world is, for whoever has not said otherwise in the environment. */
export function sandboxAddresses(http: string, smtp: string): Record<string, string> {
  const mail = new URL(smtp);
  // The sandbox's mail server offers TLS with a certificate of its own making.
  mail.searchParams.set('tls.rejectUnauthorized', 'false');
  return {
    LINKEDIN_AUTH_URL: `${http}/linkedin`,
    LINKEDIN_API_URL: `${http}/linkedin-api`,
    GOOGLE_ISSUER_URL: `${http}/google`,
    OPENAI_BASE_URL: `${http}/openai/v1`,
    SMTP_URL: mail.href,
  };
}

const rememberedIn = (folder: string) => path.join(folder, 'outside.json');

/** Keeps where `npm start` has its outside world, for the commands beside it. */
export function rememberOutside(addresses: Record<string, string>, folder = DATA): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(rememberedIn(folder), JSON.stringify(addresses));
}

/** Where the last `npm start` had its outside world, for a command that works on its database; else nothing. */
export function outsideOfStart(folder = DATA): Record<string, string> {
  const isBeside = !process.env.DATABASE_URL && process.env.NODE_ENV !== 'production';
  const file = rememberedIn(folder);
  return isBeside && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** `defaults` under what the environment sets; an empty string counts as not set. */
export function underEnvironment(defaults: Record<string, string>): NodeJS.ProcessEnv {
  const set = Object.entries(process.env).filter(([, value]) => value !== undefined && value !== '');
  return { ...defaults, ...Object.fromEntries(set) };
}
