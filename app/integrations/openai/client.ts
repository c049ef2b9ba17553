import type OpenAI from 'openai';
import { env } from '#app/env.ts';
import { boundedFetch } from '#app/integrations/http/bounded-fetch.ts';
import { pictureFetch } from './attach-images.ts';
import { type Dialect, type DialectSettings, firstDialect } from './dialect.ts';

export type ConnectionSettings = DialectSettings & {
  apiKey: string;
  /** Without a trailing slash; `/chat/completions` is appended. */
  baseUrl: string;
  /** Set for an Azure resource. */
  azureVersion?: string | undefined;
  /** For Azure the name of the deployment. */
  model: string;
  timeoutMs: number;
};

/** `dialect` changes with what the server refuses. */
export type Connection = { client: OpenAI; settings: ConnectionSettings; dialect: Dialect };

/** Loaded on first use: it takes a fifth of a second. */
export const loadSdk = () => import('openai');

/** Azure deployments are below /openai. */
function azureBaseUrl(baseUrl: string): string {
  return new URL(baseUrl).pathname === '/' ? `${baseUrl}/openai` : baseUrl;
}

/** A hundred times a post with its reasoning. */
const RESPONSE_BYTES_MAX = 4 * 1024 * 1024;

/** Without retries by the SDK: the jobs retry, with longer delays. */
export async function connect(settings: ConnectionSettings): Promise<Connection> {
  const { apiKey, baseUrl, azureVersion, timeoutMs } = settings;
  const { OpenAI: Client, AzureOpenAI: AzureClient } = await loadSdk();
  const options = {
    apiKey,
    timeout: timeoutMs,
    maxRetries: 0,
    logLevel: 'off' as const,
    fetch: boundedFetch(RESPONSE_BYTES_MAX, pictureFetch),
  };
  const client = azureVersion
    ? new AzureClient({ ...options, baseURL: azureBaseUrl(baseUrl), apiVersion: azureVersion })
    : new Client({ ...options, baseURL: baseUrl });
  return { client, settings, dialect: firstDialect(settings) };
}

let connection: Promise<Connection> | undefined;

/** The process's connection, from the environment. */
export function defaultConnection(): Promise<Connection> {
  const config = env();
  connection ??= connect({
    apiKey: config.OPENAI_API_KEY,
    baseUrl: config.OPENAI_BASE_URL,
    azureVersion: config.OPENAI_API_VERSION,
    model: config.OPENAI_MODEL,
    structured: config.OPENAI_STRUCTURED,
    effort: config.OPENAI_REASONING_EFFORT,
    timeoutMs: config.OPENAI_TIMEOUT * 1_000,
  });
  return connection;
}
