import type OpenAI from 'openai';
import { z } from 'zod';
import { env } from '#app/env.ts';

const TIMEOUT_MS = 90_000;
const LIST_TIMEOUT_MS = 15_000;
const MOST_TOKENS = 4_000;

const Draft = z.object({ content: z.string(), hashtags: z.array(z.string()) });
export type Draft = z.output<typeof Draft>;

/** Strict subset of JSON schema: every property required, nothing additional. */
const DRAFT_SCHEMA = {
  type: 'object',
  properties: {
    content: { type: 'string', description: 'The text of the post, plain, without hashtags' },
    hashtags: { type: 'array', items: { type: 'string' }, description: '3 to 5 hashtags without #' },
  },
  required: ['content', 'hashtags'],
  additionalProperties: false,
};

/** The writer cannot answer now (429, 5xx, network): try again, after `retryAfterSeconds` when it said so. */
export class WriterBusy extends Error {
  readonly retryAfterSeconds: number | null;
  constructor(message: string, retryAfterSeconds: number | null) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Only the operator can mend it: a bad key, no quota, an unknown model. */
export class WriterFault extends Error {}

export type WriterAnswer = {
  /** Undefined when the answer was a refusal, cut off or not the asked shape; `problem` says which. */
  draft?: Draft;
  problem?: string;
  model: string;
  inputTokens: number;
  outputTokens: number;
};

/** Loaded when the writer is first asked: a fifth of a second that no process needs to start. */
const sdk = () => import('openai');

let client: OpenAI | undefined;

/** The jobs retry, with patience the SDK does not have. */
async function open(): Promise<OpenAI> {
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

/** The names of the models that the key may use (GET /models). Throws WriterBusy or WriterFault. */
export async function listModels(): Promise<string[]> {
  try {
    const { data } = await (await open()).models.list({ timeout: LIST_TIMEOUT_MS });
    return data.map(({ id }) => id);
  } catch (error) {
    throw await classify(error);
  }
}

/**
 * Asks the writer for one post (chat completions with a JSON schema, which compatible servers know as
 * well). `instructions` are ours, `request` carries what the user typed. Throws WriterBusy or WriterFault.
 */
export async function writeDraft(
  instructions: string,
  request: string,
  signal: AbortSignal,
): Promise<WriterAnswer> {
  try {
    const writer = await open();
    const completion = await writer.chat.completions.create(
      {
        model: env().OPENAI_MODEL,
        messages: [
          { role: 'system', content: instructions },
          { role: 'user', content: request },
        ],
        max_completion_tokens: MOST_TOKENS,
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'linkedin_post', strict: true, schema: DRAFT_SCHEMA },
        },
      },
      { signal },
    );
    return readAnswer(completion);
  } catch (error) {
    throw await classify(error);
  }
}

function readAnswer(completion: OpenAI.ChatCompletion): WriterAnswer {
  // A proxy can answer 200 with anything; the SDK then hands out a string or nothing.
  const choice = completion?.choices?.[0];
  const usage = {
    model: completion?.model ?? env().OPENAI_MODEL,
    inputTokens: completion?.usage?.prompt_tokens ?? 0,
    outputTokens: completion?.usage?.completion_tokens ?? 0,
  };
  if (!choice) return { ...usage, problem: 'the answer was empty' };
  if (choice.message.refusal) return { ...usage, problem: 'the writer declined to write about this' };
  if (choice.finish_reason === 'length') return { ...usage, problem: 'the answer was cut off' };
  const text = (choice.message.content ?? '').replace(/^\s*```(?:json)?|```\s*$/g, '');
  try {
    return { ...usage, draft: Draft.parse(JSON.parse(text)) };
  } catch {
    return { ...usage, problem: 'the answer was not valid JSON of the asked shape' };
  }
}

async function classify(error: unknown): Promise<Error> {
  const { APIConnectionError, APIError } = await sdk();
  if (error instanceof APIConnectionError) return new WriterBusy('The writer cannot be reached', null);
  if (!(error instanceof APIError)) {
    return error instanceof SyntaxError
      ? new WriterBusy('The writer answered with broken data', null)
      : asError(error);
  }
  const { status, code, type } = error;
  const isOutOfQuota = [code, type].some(
    (word) => word === 'insufficient_quota' || word === 'credit_balance_exhausted',
  );
  if (isOutOfQuota) return new WriterFault('The writer says that its quota is used up.');
  if (status === 429 || status === 408 || status === 409 || (status && status >= 500)) {
    const seconds = Number(error.headers?.get('retry-after') ?? Number.NaN);
    return new WriterBusy(`The writer answered ${status}`, Number.isFinite(seconds) ? seconds : null);
  }
  if (status === 401) return new WriterFault('The writer refuses the key in OPENAI_API_KEY.');
  return new WriterFault(`The writer refuses our requests (${status} ${code ?? type ?? ''}).`);
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
