import type { z } from 'zod';
import type { WithPictures } from './attach-images.ts';
import { type Connection, defaultConnection } from './client.ts';
import {
  adaptDialect,
  type CompletionInput,
  type Dialect,
  picturesOf,
  requestBody,
  withTokenLimit,
} from './dialect.ts';
import { WriterBusy } from './errors.ts';
import {
  classifyError,
  type ErrorResponse,
  imageError,
  isAboutRequestFormat,
  isAgainstPolicy,
  isContextTooLong,
  parseErrorBody,
  toWriterError,
} from './failures.ts';
import { firstMessage, type ParsedMessage, parseMessage } from './responses.ts';
import { strictSchema } from './strict-schema.ts';

const LIST_TIMEOUT_MS = 15_000;
const DEFAULT_MAX_TOKENS = 4_000;
const EXTRA_TOKENS_MAX = 16_000;
/** More than the number of things in which dialects differ. */
const ADAPTATIONS_MAX = 8;
const BYTES_PER_TOKEN = 4;
/** Estimate for an image of one megapixel, for servers that report no usage. */
const TOKENS_PER_PICTURE = 1_500;

export type { Picture } from './dialect.ts';
export type Message = CompletionInput['messages'][number];

export type CompletionRequest<T> = {
  /** The name of the JSON schema: 1 to 64 letters, digits, _ or -. */
  name: string;
  /** An object without optional properties (nullable ones are fine). Sent as a JSON schema. */
  shape: z.ZodType<T>;
  messages: Message[];
  /** For the answer, without reasoning; 4,000 by default. */
  maxTokens?: number;
  signal: AbortSignal;
};

/** Has `answer`, or `problem` and the model's `text`, which can be sent back to it for a correction. */
export type Completion<T> = ParsedMessage<T> & { model: string; inputTokens: number; outputTokens: number };

/** The names of the models that the key may use (GET /models). Throws WriterBusy or WriterFault. */
export async function listModels(): Promise<string[]> {
  const { client, settings } = await defaultConnection();
  try {
    const { data } = await client.models.list({ timeout: LIST_TIMEOUT_MS });
    return data.map(({ id }) => id);
  } catch (error) {
    const failure = await classifyError(error);
    throw failure instanceof WriterBusy ? failure : toWriterError(failure, settings.model);
  }
}

/**
 * Requests structured output from the writer (POST /chat/completions, which compatible servers support as well). Retries an
 * answer that was cut off once, with more tokens. Estimates the token counts if the server reports none. Throws WriterBusy
 * if the writer is temporarily unavailable, WriterFault if the operator has to fix something, and PictureUnseen if the model
 * cannot read a picture.
 * https://platform.openai.com/docs/api-reference/chat/create
 */
export const requestCompletion = async <T>(request: CompletionRequest<T>): Promise<Completion<T>> =>
  requestCompletionOn(await defaultConnection(), request);

/** Like `requestCompletion`, on another connection. What the server refuses is remembered in the connection's dialect. */
export async function requestCompletionOn<T>(
  connection: Connection,
  request: CompletionRequest<T>,
): Promise<Completion<T>> {
  if (!request.messages.some(({ picture }) => picture)) return completeFully(connection, request);
  // A picture may be too large for the server, or refused for its content: that limit must not apply to the next one.
  const own = { ...connection };
  const completion = await completeFully(own, request);
  const { tokenLimit } = connection.dialect;
  if (completion.problem !== 'too-much-context') learn(connection, { ...own.dialect, tokenLimit });
  return completion;
}

async function completeFully<T>(
  connection: Connection,
  { name, shape, messages, maxTokens = DEFAULT_MAX_TOKENS, signal }: CompletionRequest<T>,
): Promise<Completion<T>> {
  const { model } = connection.settings;
  const input = { model, name, messages, maxTokens, schema: strictSchema(shape) };
  const first = await completeOnce(connection, input, shape, signal);
  if (first.problem === 'wrong-shape') learn(connection, { hasSchemaInPrompt: true });
  if (first.problem !== 'cut-off' || connection.dialect.tokenLimit !== null) return first;
  const second = await completeOnce(connection, { ...input, maxTokens: 2 * maxTokens }, shape, signal);
  const extraTokens = Math.min(connection.dialect.extraTokens + maxTokens, EXTRA_TOKENS_MAX);
  if (second.answer !== undefined) learn(connection, { extraTokens });
  return {
    ...second,
    inputTokens: first.inputTokens + second.inputTokens,
    outputTokens: first.outputTokens + second.outputTokens,
  };
}

const learn = (connection: Connection, change: Partial<Dialect>) => {
  connection.dialect = { ...connection.dialect, ...change };
};

/** Gets one answer. If the server refuses the format of the request, adapts the dialect and sends it again. */
async function completeOnce<T>(
  connection: Connection,
  input: CompletionInput,
  shape: z.ZodType<T>,
  signal: AbortSignal,
): Promise<Completion<T>> {
  const isAuto = connection.settings.structured === 'auto';
  for (let changes = 0; ; changes += 1) {
    const sent = connection.dialect;
    const response = await send(connection, requestBody(sent, input), picturesOf(input), signal);
    if (!('error' in response)) return readCompletion(response.completion, input, shape);
    const { error } = response;
    const empty = { model: input.model, inputTokens: 0, outputTokens: 0 };
    const limited = isContextTooLong(error) ? withTokenLimit(sent, error) : undefined;
    if (isContextTooLong(error) && !limited) return { ...empty, problem: 'too-much-context' };
    if (isAgainstPolicy(error)) return { ...empty, problem: 'against-policy' };
    const unreadable = input.messages.some(({ picture }) => picture) && imageError(error, input.model);
    if (unreadable) throw unreadable;
    const next = limited ?? (isAboutRequestFormat(error) ? adaptDialect(sent, error, isAuto) : undefined);
    if (!next || changes >= ADAPTATIONS_MAX) throw toWriterError(error, input.model);
    learn(connection, next);
  }
}

/** Throws WriterBusy if there is no response. */
async function send(
  { client, settings }: Connection,
  body: ReturnType<typeof requestBody>,
  pictures: Buffer[],
  signal: AbortSignal,
): Promise<{ completion: unknown } | { error: ErrorResponse }> {
  try {
    // The SDK's timeout does not cover the body of an error response.
    const combined = AbortSignal.any([signal, AbortSignal.timeout(settings.timeoutMs)]);
    const fetchOptions: WithPictures | undefined =
      pictures.length > 0 ? { pictures, duplex: 'half' } : undefined;
    const completion: unknown = await client.chat.completions.create(body, {
      signal: combined,
      fetchOptions,
    });
    const error = (completion as { error?: unknown } | undefined)?.error;
    if (!error) return { completion };
    const status = Number((error as { code?: unknown }).code);
    return { error: parseErrorBody(error, status >= 400 && status < 600 ? status : 500) };
  } catch (error) {
    const failure = await classifyError(error);
    if (failure instanceof WriterBusy) throw failure;
    return { error: failure };
  }
}

/** Servers may send anything; only a name that can be stored and shown is used. */
const MODEL_NAME = /^[\p{L}\p{N}\p{P}\p{S} ]{1,200}$/u;

const estimateTokens = (value: unknown) =>
  Math.ceil(Buffer.byteLength(JSON.stringify(value)) / BYTES_PER_TOKEN);
const estimatePromptTokens = ({ messages }: CompletionInput) =>
  estimateTokens(messages.map(({ role, content }) => ({ role, content }))) +
  TOKENS_PER_PICTURE * messages.filter(({ picture }) => picture !== undefined).length;

const isTokenCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

function readCompletion<T>(body: unknown, input: CompletionInput, shape: z.ZodType<T>): Completion<T> {
  const first = firstMessage(body);
  if (!first) throw new WriterBusy('The writer answered with something that is no answer');
  const { usage, model } = first;
  const { prompt_tokens: prompt, completion_tokens: completion } = usage;
  return {
    ...parseMessage(first, shape),
    model: typeof model === 'string' && MODEL_NAME.test(model) ? model : input.model,
    inputTokens: isTokenCount(prompt) ? prompt : estimatePromptTokens(input),
    outputTokens: isTokenCount(completion) ? completion : estimateTokens(first.message),
  };
}
