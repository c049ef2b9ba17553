import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type Exchange, isObject, readJson, sendEvents, sendJson } from '#sandbox/server/http.ts';
import type { State } from '#sandbox/state.ts';
import { askedSchema, OF_CHAT } from './formats.ts';
import { turnsOf } from './messages.ts';
import { checkParameters, findModel, OF_CHATS } from './models.ts';
import { invalid, refuse } from './refusals.ts';
import { promptOf, type Spoken, say } from './say.ts';

/** POST /chat/completions, whole or as a stream. */
export async function complete(state: State, { req, res }: Exchange) {
  const body = await readJson(req);
  if (typeof body.model !== 'string' || body.model === '')
    refuse(400, { message: 'you must provide a model parameter', type: 'invalid_request_error', code: null });
  const model = findModel(body.model);
  checkParameters(body, model, OF_CHATS);
  if (body.stream_options && body.stream !== true) {
    invalid("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options');
  }
  const turns = turnsOf(body, model);
  const format = body.response_format;
  const spoken = await say(state, res, {
    model,
    turns,
    schema: askedSchema(format, promptOf(turns), OF_CHAT),
    asksForSchema: isObject(format) && format.type === 'json_schema',
    mostTokens: Number(body.max_completion_tokens ?? body.max_tokens ?? Number.POSITIVE_INFINITY),
  });
  if (!spoken) return;
  const answer = completion(body.model, spoken);
  if (body.stream !== true) return sendJson(res, 200, answer);
  const hasUsage = isObject(body.stream_options) && body.stream_options.include_usage === true;
  sendStream(res, answer, hasUsage);
}

type Completion = ReturnType<typeof completion>;

function completion(model: string, { choice, read, written }: Spoken) {
  return {
    id: `chatcmpl-${randomBytes(12).toString('hex')}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [choice],
    usage: { prompt_tokens: read, completion_tokens: written, total_tokens: read + written },
    service_tier: 'default',
  };
}

const LETTERS_A_CHUNK = 24;

/** The same answer in pieces, as server-sent events. */
function sendStream(res: ServerResponse, answer: Completion, hasUsage: boolean) {
  const { id, created, model, service_tier, usage } = answer;
  const { message, finish_reason } = answer.choices[0]!;
  const head = { id, object: 'chat.completion.chunk', created, model, service_tier };
  const chunk = (delta: object, finish: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(hasUsage ? { usage: null } : {}),
  });
  const text = typeof message.content === 'string' ? message.content : '';
  const pieces = text.match(new RegExp(`[^]{1,${LETTERS_A_CHUNK}}`, 'gu')) ?? [];
  const { refusal } = message;
  sendEvents(res, [
    chunk({ role: 'assistant', content: refusal === null ? '' : null, refusal: null }),
    ...(refusal === null ? pieces.map((content) => chunk({ content })) : [chunk({ refusal })]),
    chunk({}, finish_reason),
    ...(hasUsage ? [{ ...head, choices: [], usage }] : []),
    '[DONE]',
  ]);
}
