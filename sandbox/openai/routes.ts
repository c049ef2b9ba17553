import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { bearer, type Exchange, isObject, readJson, sendEvents, sendJson } from '#sandbox/server/http.ts';
import type { State } from '#sandbox/state.ts';
import type { Turn } from '#sandbox/writer/mend.ts';
import { CHAT_FORMAT, RESPONSE_FORMAT, responseSchema } from './formats.ts';
import { type Generation, generate, promptOf } from './generate.ts';
import { turnOf, turnsOf } from './messages.ts';
import {
  CHAT_PARAMETERS,
  checkParameters,
  findModel,
  MODELS,
  type Model,
  modelShape,
  RESPONSE_PARAMETERS,
} from './models.ts';
import { incorrectKey, invalid, refuse } from './refusals.ts';

/** POST /responses, without streaming. */
async function respond(state: State, { req, res }: Exchange) {
  const body = await readJson(req);
  if (typeof body.model !== 'string' || body.model === '')
    refuse(400, {
      message: "Missing required parameter: 'model'.",
      type: 'invalid_request_error',
      param: 'model',
      code: 'missing_required_parameter',
    });
  const model = findModel(body.model);
  checkParameters(body, model, RESPONSE_PARAMETERS);
  if (body.stream === true) invalid('Responses are not streamed by the sandbox.', 'stream');
  const turns = turnsOfInput(body, model);
  const format = isObject(body.text) ? body.text.format : undefined;
  const generation = await generate(state, res, {
    model,
    turns,
    schema: responseSchema(format, promptOf(turns), RESPONSE_FORMAT),
    hasJsonSchema: isObject(format) && format.type === 'json_schema',
    maxTokens: Number(body.max_output_tokens ?? Number.POSITIVE_INFINITY),
  });
  if (generation) sendJson(res, 200, responseOf(body, generation));
}

/** `input` is a text or a list of messages. */
function turnsOfInput({ instructions, input }: Record<string, unknown>, model: Model): Turn[] {
  if (input === undefined) {
    const message = "Missing required parameter: 'input'.";
    const type = 'invalid_request_error';
    refuse(400, { message, type, param: 'input', code: 'missing_required_parameter' });
  }
  const items: unknown[] = Array.isArray(input) ? input : [{ role: 'user', content: input }];
  const turns = items.map((item, index) => {
    if (!isObject(item) || typeof item.role !== 'string') {
      invalid(`Invalid value for 'input[${index}]': expected a message with a role.`, `input[${index}]`);
    }
    return turnOf(item.role, item.content, index, model);
  });
  return typeof instructions === 'string' ? [{ role: 'system', content: instructions }, ...turns] : turns;
}

function responseOf(body: Record<string, unknown>, { choice, inputTokens, outputTokens }: Generation) {
  const { message, finish_reason: finish } = choice;
  const text = typeof message.content === 'string' ? message.content : '';
  const part =
    message.refusal === null
      ? { type: 'output_text', text, annotations: [], logprobs: [] }
      : { type: 'refusal', refusal: message.refusal };
  const reasons: Record<string, string> = { length: 'max_output_tokens', content_filter: 'content_filter' };
  const reason = reasons[finish] ?? null;
  const status = reason === null ? 'completed' : 'incomplete';
  const nameOf = (kind: string) => `${kind}_${randomBytes(16).toString('hex')}`;
  return {
    id: nameOf('resp'),
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status,
    error: null,
    incomplete_details: reason === null ? null : { reason },
    model: body.model,
    instructions: body.instructions ?? null,
    store: body.store ?? true,
    output: [{ type: 'message', id: nameOf('msg'), role: 'assistant', status, content: [part] }],
    usage: {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    },
  };
}

/** POST /chat/completions */
async function complete(state: State, { req, res }: Exchange) {
  const body = await readJson(req);
  if (typeof body.model !== 'string' || body.model === '')
    refuse(400, { message: 'you must provide a model parameter', type: 'invalid_request_error', code: null });
  const model = findModel(body.model);
  checkParameters(body, model, CHAT_PARAMETERS);
  if (body.stream_options && body.stream !== true) {
    invalid("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options');
  }
  const turns = turnsOf(body, model);
  const format = body.response_format;
  const generation = await generate(state, res, {
    model,
    turns,
    schema: responseSchema(format, promptOf(turns), CHAT_FORMAT),
    hasJsonSchema: isObject(format) && format.type === 'json_schema',
    maxTokens: Number(body.max_completion_tokens ?? body.max_tokens ?? Number.POSITIVE_INFINITY),
  });
  if (!generation) return;
  const response = completion(body.model, generation);
  if (body.stream !== true) return sendJson(res, 200, response);
  const hasUsage = isObject(body.stream_options) && body.stream_options.include_usage === true;
  sendStream(res, response, hasUsage);
}

type Completion = ReturnType<typeof completion>;

function completion(model: string, { choice, inputTokens, outputTokens }: Generation) {
  return {
    id: `chatcmpl-${randomBytes(12).toString('hex')}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [choice],
    usage: {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    },
    service_tier: 'default',
  };
}

const CHUNK_LENGTH = 24;

/** Sends the completion as server-sent events. */
function sendStream(res: ServerResponse, response: Completion, hasUsage: boolean) {
  const { id, created, model, service_tier, usage } = response;
  const { message, finish_reason } = response.choices[0]!;
  const head = { id, object: 'chat.completion.chunk', created, model, service_tier };
  const chunk = (delta: object, finish: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(hasUsage ? { usage: null } : {}),
  });
  const text = typeof message.content === 'string' ? message.content : '';
  const chunks = text.match(new RegExp(`[^]{1,${CHUNK_LENGTH}}`, 'gu')) ?? [];
  const { refusal } = message;
  sendEvents(res, [
    chunk({ role: 'assistant', content: refusal === null ? '' : null, refusal: null }),
    ...(refusal === null ? chunks.map((content) => chunk({ content })) : [chunk({ refusal })]),
    chunk({}, finish_reason),
    ...(hasUsage ? [{ ...head, choices: [], usage }] : []),
    '[DONE]',
  ]);
}

/** Routes everything below /openai/v1. */
export async function openai(state: State, call: Exchange) {
  const { req, res } = call;
  res.setHeader('x-request-id', `req_${randomBytes(12).toString('hex')}`);
  const key = bearer(req);
  if (!key.startsWith('sk-')) return incorrectKey(key);
  const path = call.rawPath.slice('/openai/v1'.length);
  if (req.method === 'GET' && path === '/models') {
    return sendJson(res, 200, { object: 'list', data: MODELS.map(modelShape) });
  }
  if (req.method === 'GET' && path.startsWith('/models/')) {
    return sendJson(res, 200, modelShape(findModel(decodeURIComponent(path.slice('/models/'.length)))));
  }
  if (req.method === 'POST' && path === '/chat/completions') return complete(state, call);
  if (req.method === 'POST' && path === '/responses') return respond(state, call);
  refuse(404, { message: `Invalid URL (${req.method} ${path})`, type: 'invalid_request_error', code: null });
}
