import type { z } from 'zod';
import type { WithPictures } from './attach-images.ts';
import { type Connection, configured } from './client.ts';
import { adapted, bodyOf, type CompletionInput, type Dialect, lessRoom, picturesOf } from './dialect.ts';
import { WriterBusy } from './errors.ts';
import {
  errorOf,
  failureOf,
  isAgainstPolicy,
  isOfForm,
  isTooLong,
  type Refused,
  refusedBy,
  unseen,
} from './failures.ts';
import { messageIn, type Read, readMessage } from './responses.ts';
import { strictSchema } from './strict-schema.ts';

const LIST_TIMEOUT_MS = 15_000;
const USUAL_MOST_TOKENS = 4_000;
const MOST_EXTRA_ROOM = 16_000;
/** A dialect differs in fewer things than this. */
const MOST_CHANGES = 8;
const BYTES_A_TOKEN = 4;
/** What a picture counts as where a server counts nothing: about one of a megapixel. */
const TOKENS_OF_PICTURE = 1_500;

export type { Picture } from './dialect.ts';
export type Message = CompletionInput['messages'][number];

export type CompletionRequest<T> = {
  /** What the answer is called: 1 to 64 letters, digits, _ or -. */
  name: string;
  /** An object without optional properties (nullable ones are fine): its JSON schema goes with the request. */
  shape: z.ZodType<T>;
  messages: Message[];
  /** Room for the answer in tokens, 4,000 unless told; thinking has its own beside it. */
  mostTokens?: number;
  /** Once aborted the call is given up. */
  signal: AbortSignal;
};

/** Either `answer`, or `problem` says why there is none; `text` is what the model said, so that it can mend it. */
export type Completion<T> = Read<T> & { model: string; inputTokens: number; outputTokens: number };

/** The names of the models that the key may use (GET /models). Throws WriterBusy or WriterFault. */
export async function listModels(): Promise<string[]> {
  const { client, settings } = await configured();
  try {
    const { data } = await client.models.list({ timeout: LIST_TIMEOUT_MS });
    return data.map(({ id }) => id);
  } catch (error) {
    const failure = await failureOf(error);
    throw failure instanceof WriterBusy ? failure : errorOf(failure, settings.model);
  }
}

/**
 * Asks the writer for an answer of a shape (POST /chat/completions, which compatible servers know as well).
 * What the model answers badly is a `problem`, after more room once for an answer that was cut off. Tokens
 * that a server does not count are estimated from the texts. Throws WriterBusy when it cannot answer now,
 * WriterFault when the operator has to mend something, PictureUnseen when a picture that was sent is not looked at.
 * https://platform.openai.com/docs/api-reference/chat/create
 */
export const requestCompletion = async <T>(question: CompletionRequest<T>): Promise<Completion<T>> =>
  requestCompletionOn(await configured(), question);

/** Asks as `requestCompletion` does, through a connection; what the server refuses of a request is remembered with it. */
export async function requestCompletionOn<T>(
  connection: Connection,
  question: CompletionRequest<T>,
): Promise<Completion<T>> {
  if (!question.messages.some(({ picture }) => picture)) return askUntilWhole(connection, question);
  // One picture can be too much for a server, or refused for what is in it: the next one finds it as it was.
  const own = { ...connection };
  const answer = await askUntilWhole(own, question);
  const { mostRoom } = connection.dialect;
  if (answer.problem !== 'too-much-context') learn(connection, { ...own.dialect, mostRoom });
  return answer;
}

async function askUntilWhole<T>(
  connection: Connection,
  { name, shape, messages, mostTokens = USUAL_MOST_TOKENS, signal }: CompletionRequest<T>,
): Promise<Completion<T>> {
  const { model } = connection.settings;
  const asked = { model, name, messages, mostTokens, schema: strictSchema(shape) };
  const first = await askOnce(connection, asked, shape, signal);
  if (first.problem === 'wrong-shape') learn(connection, { isTold: true });
  if (first.problem !== 'cut-off' || connection.dialect.mostRoom !== null) return first;
  const second = await askOnce(connection, { ...asked, mostTokens: 2 * mostTokens }, shape, signal);
  const extraRoom = Math.min(connection.dialect.extraRoom + mostTokens, MOST_EXTRA_ROOM);
  if (second.answer !== undefined) learn(connection, { extraRoom });
  return {
    ...second,
    inputTokens: first.inputTokens + second.inputTokens,
    outputTokens: first.outputTokens + second.outputTokens,
  };
}

const learn = (connection: Connection, change: Partial<Dialect>) => {
  connection.dialect = { ...connection.dialect, ...change };
};

/** One answer; what the server refuses in the form of the request is said in another one. */
async function askOnce<T>(
  connection: Connection,
  asked: CompletionInput,
  shape: z.ZodType<T>,
  signal: AbortSignal,
): Promise<Completion<T>> {
  const isFree = connection.settings.structured === 'auto';
  for (let changes = 0; ; changes += 1) {
    const sent = connection.dialect;
    const body = bodyOf(sent, asked);
    const said = await complete(connection, body, picturesOf(asked), signal);
    if (!('refused' in said)) return readWhole(said.completion, asked, shape);
    const { refused } = said;
    const nothing = { model: asked.model, inputTokens: 0, outputTokens: 0 };
    const change = isTooLong(refused) ? lessRoom(sent, refused) : undefined;
    if (isTooLong(refused) && !change) return { ...nothing, problem: 'too-much-context' };
    if (isAgainstPolicy(refused)) return { ...nothing, problem: 'against-policy' };
    const blind = asked.messages.some(({ picture }) => picture) && unseen(refused, asked.model);
    if (blind) throw blind;
    const next = change ?? (isOfForm(refused) ? adapted(sent, refused, isFree) : undefined);
    if (!next || changes >= MOST_CHANGES) throw errorOf(refused, asked.model);
    learn(connection, next);
  }
}

/** Throws WriterBusy when no answer came. */
async function complete(
  { client, settings }: Connection,
  body: ReturnType<typeof bodyOf>,
  pictures: Buffer[],
  signal: AbortSignal,
): Promise<{ completion: unknown } | { refused: Refused }> {
  try {
    // The SDK's time ends with the headers of an error: ours covers all of it.
    const within = AbortSignal.any([signal, AbortSignal.timeout(settings.timeoutMs)]);
    const fetchOptions: WithPictures | undefined =
      pictures.length > 0 ? { pictures, duplex: 'half' } : undefined;
    const completion: unknown = await client.chat.completions.create(body, { signal: within, fetchOptions });
    const error = (completion as { error?: unknown } | undefined)?.error;
    if (!error) return { completion };
    const status = Number((error as { code?: unknown }).code);
    return { refused: refusedBy(error, status >= 400 && status < 600 ? status : 500) };
  } catch (error) {
    const failure = await failureOf(error);
    if (failure instanceof WriterBusy) throw failure;
    return { refused: failure };
  }
}

/** A name that can be stored and shown; a server can send anything. */
const NAME_OF_MODEL = /^[\p{L}\p{N}\p{P}\p{S} ]{1,200}$/u;

/** The tokens of a text, and of the messages of a request. */
const tokensOf = (text: unknown) => Math.ceil(Buffer.byteLength(JSON.stringify(text)) / BYTES_A_TOKEN);
const promptTokens = ({ messages }: CompletionInput) =>
  tokensOf(messages.map(({ role, content }) => ({ role, content }))) +
  TOKENS_OF_PICTURE * messages.reduce((pictures, { picture }) => pictures + Number(picture !== undefined), 0);

function readWhole<T>(completion: unknown, asked: CompletionInput, shape: z.ZodType<T>): Completion<T> {
  const found = messageIn(completion);
  if (!found) throw new WriterBusy('The writer answered with something that is no answer');
  const { usage, model } = found;
  const isCount = (counted: unknown): counted is number =>
    Number.isSafeInteger(counted) && (counted as number) >= 0;
  const { prompt_tokens: read, completion_tokens: written } = usage;
  return {
    ...readMessage(found, shape),
    model: typeof model === 'string' && NAME_OF_MODEL.test(model) ? model : asked.model,
    inputTokens: isCount(read) ? read : promptTokens(asked),
    outputTokens: isCount(written) ? written : tokensOf(found.message),
  };
}
