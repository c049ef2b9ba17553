import { randomBytes } from 'node:crypto';
import { type ActiveFault, strike } from './faults.ts';
import { bearer, type Exchange, isObject, pause, readJson, sendJson } from './http.ts';
import { answerBadly, choiceOf, refuseByFault } from './openai-faults.ts';
import { checkParameters, findModel, MODELS, modelShape, tooLong } from './openai-models.ts';
import { incorrectKey, invalid, refuse } from './openai-refusals.ts';
import { exampleOf, propertiesOf, strictProblem } from './openai-schema.ts';
import type { State } from './state.ts';
import { answerTurns, type Turn } from './writer-mend.ts';

/** What JSON of any shape is here: all that the writer has to say. */
const ANY_POST = {
  type: 'object',
  properties: Object.fromEntries(
    ['content', 'hashtags', 'thesis', 'claims', 'findings'].map((name) => [name, {}]),
  ),
};

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
  refuse(404, { message: `Invalid URL (${req.method} ${path})`, type: 'invalid_request_error', code: null });
}

/** The texts of the messages, with who said them. */
function turnsOf(body: Record<string, unknown>): Turn[] {
  if (!Array.isArray(body.messages) || body.messages.length === 0)
    invalid("Missing required parameter: 'messages'.", 'messages');
  return body.messages.map((message: unknown, at) => {
    const role = isObject(message) ? String(message.role) : '';
    if (!isObject(message) || !['system', 'developer', 'user', 'assistant', 'tool'].includes(role)) {
      invalid(
        `Invalid value: '${role}'. Supported values are: 'system', 'developer', 'user', 'assistant', 'tool'.`,
        `messages[${at}].role`,
      );
    }
    const parts = Array.isArray(message.content) ? message.content : [{ text: message.content }];
    const content = parts
      .map((part: unknown) => (isObject(part) && typeof part.text === 'string' ? part.text : ''))
      .join('\n');
    return { role, content };
  });
}

/** The schema of the answer that is asked for; null when plain text is. */
function askedSchema(body: Record<string, unknown>, prompt: string): Record<string, unknown> | null {
  const format = body.response_format;
  if (format === undefined || (isObject(format) && format.type === 'text')) {
    return /one JSON object/.test(prompt) ? ANY_POST : null;
  }
  if (isObject(format) && format.type === 'json_object') {
    if (!/json/i.test(prompt))
      invalid(
        "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
        'messages',
      );
    return ANY_POST;
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
  return asked.schema;
}

async function complete(state: State, { req, res }: Exchange) {
  const body = await readJson(req);
  if (typeof body.model !== 'string' || body.model === '')
    refuse(400, { message: 'you must provide a model parameter', type: 'invalid_request_error', code: null });
  const model = findModel(body.model);
  checkParameters(body, model);
  if (body.stream === true) invalid('Streaming is not available here.', 'stream');
  const turns = turnsOf(body);
  const prompt = turns.map(({ content }) => content).join('\n\n');
  const schema = askedSchema(body, prompt);
  if (tokensOf(prompt) > model.contextTokens) tooLong(tokensOf(prompt), model);
  const slow = strike(state, (kind) => kind === 'writer.slow', prompt);
  if (slow) await pause(res, slow.delayMs ?? 10_000);
  const fault = strike(state, (kind) => kind.startsWith('writer.') && kind !== 'writer.slow', prompt);
  if (fault)
    refuseByFault(
      fault,
      model.id,
      isObject(body.response_format) && body.response_format.type === 'json_schema',
    );
  if (fault && (await answerBadly(res, fault))) return;
  const isRereading = (schema && 'findings' in propertiesOf(schema)) || prompt.includes('"findings"');
  const post = answerTurns(state.writer, turns, state.writerCounter++, fault?.kind ?? null, isRereading);
  const text = schema === null ? post.content : JSON.stringify(exampleOf(schema, { ...post }));
  sendJson(res, 200, completion(body, prompt, text, fault));
}

/** About as many as a model would count. */
const tokensOf = (text: string) => Math.ceil(text.length / 4);

function completion(body: Record<string, unknown>, prompt: string, whole: string, fault: ActiveFault | null) {
  const most = Number(body.max_completion_tokens ?? body.max_tokens ?? Number.POSITIVE_INFINITY);
  const isCut = tokensOf(whole) > most;
  const choice = choiceOf(isCut ? whole.slice(0, most * 4) : whole, fault?.kind ?? null, isCut);
  const { content, refusal } = choice.message;
  const said = typeof content === 'string' ? content : JSON.stringify(content ?? refusal);
  const used = { prompt_tokens: tokensOf(prompt), completion_tokens: tokensOf(said) };
  return {
    id: `chatcmpl-${randomBytes(12).toString('hex')}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: body.model,
    choices: [choice],
    usage: { ...used, total_tokens: used.prompt_tokens + used.completion_tokens },
    service_tier: 'default',
  };
}
