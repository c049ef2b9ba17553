import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { bearer, type Exchange, isObject, readJson, sendEvents, sendJson } from '#sandbox/server/http.ts';
import type { State } from '#sandbox/state.ts';
import type { Turn } from '#sandbox/writer/mend.ts';
import { askedSchema, OF_CHAT, OF_RESPONSE } from './formats.ts';
import { turnOf, turnsOf } from './messages.ts';
import {
  checkParameters,
  findModel,
  MODELS,
  type Model,
  modelShape,
  OF_CHATS,
  OF_RESPONSES,
} from './models.ts';
import { incorrectKey, invalid, refuse } from './refusals.ts';
import { promptOf, type Spoken, say } from './say.ts';

/** POST /responses, whole: what a stream of it would be is not here. */
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
  checkParameters(body, model, OF_RESPONSES);
  if (body.stream === true) invalid('Responses are not streamed by the sandbox.', 'stream');
  const turns = turnsOfInput(body, model);
  const format = isObject(body.text) ? body.text.format : undefined;
  const spoken = await say(state, res, {
    model,
    turns,
    schema: askedSchema(format, promptOf(turns), OF_RESPONSE),
    asksForSchema: isObject(format) && format.type === 'json_schema',
    mostTokens: Number(body.max_output_tokens ?? Number.POSITIVE_INFINITY),
  });
  if (spoken) sendJson(res, 200, responseOf(body, spoken));
}

/** The instructions and the input, which is a text or a list of messages. */
function turnsOfInput({ instructions, input }: Record<string, unknown>, model: Model): Turn[] {
  if (input === undefined) {
    const message = "Missing required parameter: 'input'.";
    const type = 'invalid_request_error';
    refuse(400, { message, type, param: 'input', code: 'missing_required_parameter' });
  }
  const items: unknown[] = Array.isArray(input) ? input : [{ role: 'user', content: input }];
  const said = items.map((item, at) => {
    if (!isObject(item) || typeof item.role !== 'string') {
      invalid(`Invalid value for 'input[${at}]': expected a message with a role.`, `input[${at}]`);
    }
    return turnOf(item.role, item.content, at, model);
  });
  return typeof instructions === 'string' ? [{ role: 'system', content: instructions }, ...said] : said;
}

function responseOf(body: Record<string, unknown>, { choice, read, written }: Spoken) {
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
    usage: { input_tokens: read, output_tokens: written, total_tokens: read + written },
  };
}

/** POST /chat/completions, whole or as a stream. */
async function complete(state: State, { req, res }: Exchange) {
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

/** Everything below /openai/v1. */
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
