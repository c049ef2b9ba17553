import type OpenAI from 'openai';
import { env } from '#app/env.ts';

const TIMEOUT_MS = 60_000;

/** Loaded when the writer is first asked: a fifth of a second that no process needs to start. */
export const sdk = () => import('openai');

let client: OpenAI | undefined;

/** The jobs retry, with patience the SDK does not have. */
export async function open(): Promise<OpenAI> {
  const { OPENAI_API_KEY, OPENAI_BASE_URL } = env();
  const { OpenAI: Client } = await sdk();
  client ??= new Client({
    apiKey: OPENAI_API_KEY,
    baseURL: OPENAI_BASE_URL,
    timeout: TIMEOUT_MS,
    maxRetries: 0,
    logLevel: 'off',
  });
  return client;
}
