import type OpenAI from 'openai';
import type { z } from 'zod';
import { env } from '#app/env.ts';
import { type Read, readAnswer } from './openai-answers.ts';
import { open } from './openai-client.ts';
import { classify } from './openai-failures.ts';
import { strictSchema } from './strict-schema.ts';

const LIST_TIMEOUT_MS = 15_000;
const USUAL_MOST_TOKENS = 4_000;

export type Message = { role: 'system' | 'user' | 'assistant'; content: string };

export type Question<T> = {
  /** What the answer is called: 1 to 64 letters, digits, _ or -. */
  name: string;
  /** An object without optional properties (nullable ones are fine): its JSON schema goes with the request. */
  shape: z.ZodType<T>;
  messages: Message[];
  /** Room for the answer in tokens, 4,000 unless told. */
  mostTokens?: number;
  /** Once aborted the call is given up. */
  signal: AbortSignal;
};

/** Either `answer`, or `problem` says why there is none; `text` is what the model said, so that it can mend it. */
export type WriterAnswer<T> = Read<T> & { model: string; inputTokens: number; outputTokens: number };

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
 * Asks the writer for an answer of a shape (POST /chat/completions with a JSON schema, which compatible
 * servers know as well). What the model answers badly is a `problem`; WriterBusy is thrown when it cannot
 * answer now, WriterFault when the operator has to mend something.
 * https://platform.openai.com/docs/api-reference/chat/create
 */
export async function askWriter<T>({ shape, signal, ...question }: Question<T>): Promise<WriterAnswer<T>> {
  try {
    const writer = await open();
    const schema = strictSchema(shape);
    const completion = await writer.chat.completions.create(bodyOf(question, schema), { signal });
    return { ...readAnswer(completion, shape), ...usageOf(completion) };
  } catch (error) {
    throw await classify(error);
  }
}

const bodyOf = (
  {
    name,
    messages,
    mostTokens = USUAL_MOST_TOKENS,
  }: Pick<Question<unknown>, 'name' | 'messages' | 'mostTokens'>,
  schema: Record<string, unknown>,
): OpenAI.ChatCompletionCreateParamsNonStreaming => ({
  model: env().OPENAI_MODEL,
  messages,
  max_completion_tokens: mostTokens,
  response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } },
});

/** Compatible servers may leave the numbers out: those answers count as 0. */
const usageOf = (completion: OpenAI.ChatCompletion | undefined) => ({
  model: completion?.model ?? env().OPENAI_MODEL,
  inputTokens: completion?.usage?.prompt_tokens ?? 0,
  outputTokens: completion?.usage?.completion_tokens ?? 0,
});
