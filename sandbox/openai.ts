import { randomBytes } from 'node:crypto';
import { type ActiveFault, strike } from './faults.ts';
import { Answer, bearer, type Exchange, isObject, pause, readJson, sendJson } from './http.ts';
import { strictProblem } from './openai-schema.ts';
import type { State } from './state.ts';
import { type WrittenPost, writePost } from './writer.ts';

const MODELS = ['gpt-5-mini', 'gpt-5', 'gpt-4.1-mini', 'gpt-4o-mini'];

function refuse(
  status: number,
  error: { message: string; type: string; param?: string | null; code: string | null },
  headers: Record<string, string> = {},
): never {
  throw new Answer(status, { error: { param: null, ...error } }, headers);
}

function invalid(message: string, param: string | null): never {
  refuse(400, { message, type: 'invalid_request_error', param, code: null });
}

/** Everything below /openai/v1. */
export async function openai(state: State, call: Exchange) {
  const { req, res } = call;
  res.setHeader('x-request-id', `req_${randomBytes(12).toString('hex')}`);
  const key = bearer(req);
  if (!key.startsWith('sk-')) return incorrectKey(key);
  const path = call.rawPath.slice('/openai/v1'.length);
  if (req.method === 'GET' && path === '/models') {
    const data = MODELS.map((id) => ({ id, object: 'model', created: 1_750_000_000, owned_by: 'sandbox' }));
    return sendJson(res, 200, { object: 'list', data });
  }
  if (req.method === 'POST' && path === '/chat/completions') return complete(state, call);
  refuse(404, { message: `Invalid URL (${req.method} ${path})`, type: 'invalid_request_error', code: null });
}

function incorrectKey(key: string): never {
  const masked = key.length > 8 ? `${key.slice(0, 4)}****${key.slice(-4)}` : '****';
  const message = `Incorrect API key provided: ${masked}. You can find your API key at https://platform.openai.com/account/api-keys.`;
  refuse(401, { message, type: 'invalid_request_error', code: 'invalid_api_key' });
}

/** The texts of the messages, joined. */
function promptOf(body: Record<string, unknown>): string {
  if (!Array.isArray(body.messages) || body.messages.length === 0)
    invalid("Missing required parameter: 'messages'.", 'messages');
  const texts = body.messages.map((message: unknown, at) => {
    const role = isObject(message) ? String(message.role) : '';
    if (!isObject(message) || !['system', 'developer', 'user', 'assistant', 'tool'].includes(role)) {
      invalid(
        `Invalid value: '${role}'. Supported values are: 'system', 'developer', 'user', 'assistant', 'tool'.`,
        `messages[${at}].role`,
      );
    }
    const parts = Array.isArray(message.content) ? message.content : [{ text: message.content }];
    return parts
      .map((part: unknown) => (isObject(part) && typeof part.text === 'string' ? part.text : ''))
      .join('\n');
  });
  return texts.join('\n\n');
}

/** The property names of the answer that is asked for; null when plain text is. */
function askedProperties(body: Record<string, unknown>, prompt: string): string[] | null {
  const format = body.response_format;
  if (format === undefined || (isObject(format) && format.type === 'text')) return null;
  if (isObject(format) && format.type === 'json_object') {
    if (!/json/i.test(prompt))
      invalid(
        "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
        'messages',
      );
    return ['content', 'hashtags'];
  }
  const asked = isObject(format) && format.type === 'json_schema' ? format.json_schema : null;
  if (!isObject(asked))
    invalid("Missing required parameter: 'response_format.json_schema'.", 'response_format.json_schema');
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(String(asked.name ?? ''))) {
    invalid(
      "Invalid 'response_format.json_schema.name': expected a string of 1 to 64 letters, digits, _ or -.",
      'response_format.json_schema.name',
    );
  }
  if (!isObject(asked.schema))
    invalid(
      "Missing required parameter: 'response_format.json_schema.schema'.",
      'response_format.json_schema.schema',
    );
  const problem = asked.strict === true ? strictProblem(asked.schema) : null;
  if (problem)
    invalid(`Invalid schema for response_format '${String(asked.name)}': ${problem}`, 'response_format');
  return Object.keys(isObject(asked.schema.properties) ? asked.schema.properties : {});
}

/** A post that is to be read once more: nothing is found in it. */
function lastAnswer({ messages }: Record<string, unknown>): WrittenPost | null {
  const said = Array.isArray(messages) ? messages.filter(({ role }) => role === 'assistant').at(-1) : null;
  try {
    return { findings: [], ...JSON.parse(String(said?.content)) };
  } catch {
    return null;
  }
}

async function complete(state: State, { req, res }: Exchange) {
  const body = await readJson(req);
  if (typeof body.model !== 'string' || body.model === '')
    refuse(400, { message: 'you must provide a model parameter', type: 'invalid_request_error', code: null });
  if (body.stream === true) invalid('Streaming is not available here.', 'stream');
  const prompt = promptOf(body);
  const names = askedProperties(body, prompt);
  const slow = strike(state, (kind) => kind === 'writer.slow', prompt);
  if (slow) await pause(res, slow.delayMs ?? 10_000);
  const fault = strike(state, (kind) => kind.startsWith('writer.') && kind !== 'writer.slow', prompt);
  if (fault) refuseByFault(fault);
  const reread = names?.includes('findings') ? lastAnswer(body) : null;
  const post = reread ?? writePost(state.writer, prompt, state.writerCounter++, fault?.kind ?? null);
  const text =
    names === null
      ? post.content
      : JSON.stringify(Object.fromEntries(Object.entries(post).filter(([name]) => names.includes(name))));
  sendJson(res, 200, completion(body.model, prompt, text, fault));
}

function completion(model: string, prompt: string, text: string, fault: ActiveFault | null) {
  const refused = fault?.kind === 'writer.refusal';
  const cut = fault?.kind === 'writer.truncated';
  const broken = fault?.kind === 'writer.malformed';
  const content = refused
    ? null
    : cut
      ? text.slice(0, Math.floor(text.length / 2))
      : broken
        ? `${text.slice(0, -2)},,`
        : text;
  const tokens = (value: string) => Math.ceil(value.length / 4);
  const refusal = refused ? 'I’m sorry, but I can’t help with that.' : null;
  const used = { prompt_tokens: tokens(prompt), completion_tokens: tokens(content ?? refusal ?? '') };
  return {
    id: `chatcmpl-${randomBytes(12).toString('hex')}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [
      {
        index: 0,
        finish_reason: cut ? 'length' : 'stop',
        logprobs: null,
        message: { role: 'assistant', content, refusal, annotations: [] },
      },
    ],
    usage: { ...used, total_tokens: used.prompt_tokens + used.completion_tokens },
    service_tier: 'default',
  };
}

function refuseByFault(fault: ActiveFault) {
  if (fault.kind === 'writer.401') incorrectKey('sk-sandbox-switched-off');
  if (fault.kind === 'writer.500') {
    refuse(500, {
      message: 'The server had an error while processing your request.',
      type: 'server_error',
      code: null,
    });
  }
  if (fault.kind === 'writer.429-quota') {
    const message = 'You exceeded your current quota, please check your plan and billing details.';
    refuse(429, { message, type: 'insufficient_quota', code: 'insufficient_quota' });
  }
  if (fault.kind !== 'writer.429') return;
  const wait = fault.delayMs ?? 1000;
  const message = `Rate limit reached for this model on requests per min (RPM): Limit 500, Used 500, Requested 1. Please try again in ${wait / 1000}s.`;
  refuse(
    429,
    { message, type: 'requests', code: 'rate_limit_exceeded' },
    { 'retry-after': String(Math.ceil(wait / 1000)), 'retry-after-ms': String(wait) },
  );
}
