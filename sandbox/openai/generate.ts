import type { ServerResponse } from 'node:http';
import { type ActiveFault, takeFault } from '#sandbox/server/faults.ts';
import { pause } from '#sandbox/server/http.ts';
import type { State } from '#sandbox/state.ts';
import { describe } from '#sandbox/writer/looks.ts';
import { replyTo, type Turn } from '#sandbox/writer/mend.ts';
import { choiceOf, refuseByFault, sendFaultyResponse } from './faults.ts';
import { ANY_JSON } from './formats.ts';
import { contextTooLong, type Model } from './models.ts';
import { exampleOf, propertiesOf } from './schema.ts';

/** A request of either API. */
export type GenerationRequest = {
  model: Model;
  turns: Turn[];
  schema: Record<string, unknown> | null;
  /** Whether `schema` is part of the request, and not the ANY_JSON of JSON mode. */
  hasJsonSchema: boolean;
  maxTokens: number;
};
export type Generation = { choice: ReturnType<typeof choiceOf>; inputTokens: number; outputTokens: number };

const PICTURE_TOKENS = 1_105;

/** An estimate. */
const tokensOf = (text: string) => Math.ceil(text.length / 4);

export const promptOf = (turns: Turn[]): string => turns.map(({ content }) => content).join('\n\n');

const isPictureFault = (kind: string) => kind === 'writer.blind' || kind === 'writer.bad-picture';

/** Returns the writer's response; undefined when a fault has sent a response. */
export async function generate(
  state: State,
  res: ServerResponse,
  request: GenerationRequest,
): Promise<Generation | undefined> {
  const { model, turns, hasJsonSchema } = request;
  const prompt = promptOf(turns);
  const picture = turns.find((turn) => turn.picture)?.picture;
  const inputTokens = tokensOf(prompt) + (picture ? PICTURE_TOKENS : 0);
  if (inputTokens > model.contextTokens) contextTooLong(inputTokens, model);
  const slow = takeFault(state, (kind) => kind === 'writer.slow', prompt);
  if (slow) await pause(res, slow.delayMs ?? 10_000);
  const fault = takeFault(
    state,
    (kind) =>
      kind.startsWith('writer.') &&
      kind !== 'writer.slow' &&
      (picture !== undefined || !isPictureFault(kind)),
    prompt,
  );
  if (fault) refuseByFault(fault, model.id, hasJsonSchema);
  if (fault && (await sendFaultyResponse(res, fault))) return undefined;
  return generationOf(textFor(state, request, picture, fault), request, fault, inputTokens);
}

function textFor(
  state: State,
  { turns, schema }: GenerationRequest,
  picture: Buffer | undefined,
  fault: ActiveFault | null,
): string {
  if (picture) {
    const description = describe(picture, promptOf(turns), fault?.kind ?? null);
    return schema === null
      ? (description ?? 'I cannot see a picture.')
      : JSON.stringify(exampleOf(schema, { description }));
  }
  const prompt = promptOf(turns);
  // Without a schema the prompt says which properties are expected.
  const hasSchema = schema !== null && schema !== ANY_JSON;
  const isReview = hasSchema ? 'findings' in propertiesOf(schema) : prompt.includes('"findings"');
  const post = replyTo(state.writer, turns, state.writerCounter++, fault?.kind ?? null, isReview);
  return schema === null ? post.content : JSON.stringify(exampleOf(schema, { ...post }));
}

function generationOf(
  text: string,
  { maxTokens }: GenerationRequest,
  fault: ActiveFault | null,
  inputTokens: number,
): Generation {
  const isCut = tokensOf(text) > maxTokens;
  const choice = choiceOf(isCut ? text.slice(0, maxTokens * 4) : text, fault?.kind ?? null, isCut);
  const { content, refusal } = choice.message;
  const output = typeof content === 'string' ? content : JSON.stringify(content ?? refusal);
  return { choice, inputTokens, outputTokens: tokensOf(output) };
}
