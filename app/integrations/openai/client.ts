import type OpenAI from 'openai';
import { env } from '#app/env.ts';
import { boundedFetch } from '#app/integrations/http/bounded-fetch.ts';
import { pictureFetch } from './attach-images.ts';
import { type Dialect, firstDialect } from './dialect.ts';

export type WriterSettings = {
  apiKey: string;
  /** Without a slash at its end; `/chat/completions` comes behind it. */
  baseUrl: string;
  /** Of an Azure resource: its addresses and its header are used. */
  azureVersion?: string | undefined;
  /** For Azure the name of the deployment. */
  model: string;
  structured: 'auto' | Dialect['structured'];
  effort: 'off' | NonNullable<Dialect['effort']>;
  timeoutMs: number;
};

/** A server with the settings it is spoken to with, and what has been learnt of its dialect. */
export type Connection = { client: OpenAI; settings: WriterSettings; dialect: Dialect };

/** Loaded when the writer is first asked: a fifth of a second that no process needs to start. */
export const sdk = () => import('openai');

/** The deployments of an Azure resource lie under /openai. */
function azureAddress(baseUrl: string): string {
  return new URL(baseUrl).pathname === '/' ? `${baseUrl}/openai` : baseUrl;
}

/** The longest answer that is read, in bytes: a hundred times a post with all that was thought about it. */
const MOST_BYTES = 4 * 1024 * 1024;

/** A connection that knows nothing yet. The SDK retries nothing: the jobs do, with patience it does not have. */
export async function connect(settings: WriterSettings): Promise<Connection> {
  const { apiKey, baseUrl, azureVersion, timeoutMs } = settings;
  const { OpenAI: Client, AzureOpenAI: AzureClient } = await sdk();
  const options = {
    ...({ apiKey, timeout: timeoutMs, maxRetries: 0, logLevel: 'off' } as const),
    fetch: boundedFetch(MOST_BYTES, pictureFetch),
  };
  const client = azureVersion
    ? new AzureClient({ ...options, baseURL: azureAddress(baseUrl), apiVersion: azureVersion })
    : new Client({ ...options, baseURL: baseUrl });
  return { client, settings, dialect: firstDialect(settings) };
}

let connection: Promise<Connection> | undefined;

/** The connection of this process. */
export function configured(): Promise<Connection> {
  const set = env();
  connection ??= connect({
    apiKey: set.OPENAI_API_KEY,
    baseUrl: set.OPENAI_BASE_URL,
    azureVersion: set.OPENAI_API_VERSION,
    model: set.OPENAI_MODEL,
    structured: set.OPENAI_STRUCTURED,
    effort: set.OPENAI_REASONING_EFFORT,
    timeoutMs: set.OPENAI_TIMEOUT * 1_000,
  });
  return connection;
}
