import { randomBytes } from 'node:crypto';
import { type Exchange, isObject, readJson, sendJson } from '#sandbox/server/http.ts';
import type { State } from '#sandbox/state.ts';
import type { Turn } from '#sandbox/writer/mend.ts';
import { askedSchema, OF_RESPONSE } from './formats.ts';
import { turnOf } from './messages.ts';
import { checkParameters, findModel, type Model, OF_RESPONSES } from './models.ts';
import { invalid, refuse } from './refusals.ts';
import { promptOf, type Spoken, say } from './say.ts';

/** POST /responses, whole: what a stream of it would be is not here. */
export async function respond(state: State, { req, res }: Exchange) {
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
