import type { ServerResponse } from 'node:http';
import type { ActiveFault } from '#sandbox/server/faults.ts';
import { pause, sendHtml, sendJson } from '#sandbox/server/http.ts';
import { imagesNotSupported, invalidImage } from './messages.ts';
import { contextTooLong, modelNotFound } from './models.ts';
import { incorrectKey, invalid, refuse } from './refusals.ts';

const DAY_MS = 86_400_000;
const DEFAULT_WAIT_MS = 1_000;
const HTML = '<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>';

const serverError = (message: string) => ({
  error: { message, type: 'server_error', param: null, code: null },
});

/** For faults with the status 200 and no completion. Returns whether it has sent a response. */
export async function sendFaultyResponse(res: ServerResponse, { kind }: ActiveFault): Promise<boolean> {
  if (kind === 'writer.hang') await pause(res, DAY_MS);
  else if (kind === 'writer.html') sendHtml(res, 200, HTML);
  else if (kind === 'writer.error-200') sendJson(res, 200, serverError('The provider returned an error.'));
  else if (kind === 'writer.no-message') sendJson(res, 200, { object: 'chat.completion', choices: [{}] });
  else if (kind === 'writer.empty-body') res.writeHead(200, { 'content-type': 'application/json' }).end();
  else return false;
  return true;
}

/** Throws for faults with another status. */
export function refuseByFault({ kind, delayMs }: ActiveFault, model: string, hasJsonSchema: boolean): void {
  if (kind === 'writer.401') incorrectKey('sk-sandbox-switched-off');
  if (kind === 'writer.404-model') modelNotFound(model);
  if (kind === 'writer.500') {
    refuse(500, serverError('The server had an error while processing your request.').error);
  }
  if (kind === 'writer.429-quota') {
    const message = 'You exceeded your current quota, please check your plan and billing details.';
    refuse(429, { message, type: 'insufficient_quota', code: 'insufficient_quota' });
  }
  if (kind === 'writer.policy') {
    const message = 'Your request was rejected as a result of our safety system.';
    refuse(400, { message, type: 'invalid_request_error', code: 'content_policy_violation' });
  }
  if (kind === 'writer.blind') imagesNotSupported();
  if (kind === 'writer.bad-picture') invalidImage();
  if (kind === 'writer.context') contextTooLong(9_000, { contextTokens: 8_192 });
  if (kind === 'writer.no-schema' && hasJsonSchema) {
    invalid(
      "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
      'response_format',
    );
  }
  if (kind.startsWith('writer.429')) rateLimited(kind, delayMs ?? DEFAULT_WAIT_MS);
}

function rateLimited(kind: string, waitMs: number): never {
  const message = `Rate limit reached for this model on requests per min (RPM): Limit 500, Used 500, Requested 1. Please try again in ${waitMs / 1000}s.`;
  const seconds = { 'retry-after': String(Math.ceil(waitMs / 1000)) };
  const ms = { 'retry-after-ms': String(waitMs) };
  const date = { 'retry-after': new Date(Date.now() + waitMs).toUTCString() };
  const headers = kind === 'writer.429-date' ? date : kind === 'writer.429-ms' ? ms : { ...seconds, ...ms };
  refuse(429, { message, type: 'requests', code: 'rate_limit_exceeded' }, headers);
}

type Message = { role: 'assistant'; content: unknown; refusal: string | null; annotations: [] };
type Choice = { index: 0; finish_reason: string; logprobs: null; message: Message };

/** The choice with the writer's text, changed by a fault. */
export function choiceOf(text: string, kind: string | null, isCut: boolean): Choice {
  const half = text.slice(0, Math.floor(text.length / 2));
  const isFiltered = kind === 'writer.content-filter';
  const contents: Record<string, unknown> = {
    'writer.refusal': null,
    'writer.truncated': half,
    'writer.content-filter': half,
    'writer.malformed': `${text.slice(0, -2)},,`,
    'writer.wrong-keys': JSON.stringify({ post: text }),
    'writer.empty': '',
    'writer.thinks-aloud': `<think>The {reader} wants a post.\nI write one.</think>\n\n${text}`,
    'writer.fenced': `Here is the post:\n\`\`\`json\n${text}\n\`\`\``,
    'writer.parts': [
      { type: 'text', text: half },
      { type: 'text', text: text.slice(half.length) },
    ],
  };
  const content = kind !== null && kind in contents ? contents[kind] : text;
  const refusal = kind === 'writer.refusal' ? 'I’m sorry, but I can’t help with that.' : null;
  const finish = isFiltered ? 'content_filter' : isCut || kind === 'writer.truncated' ? 'length' : 'stop';
  return {
    index: 0,
    finish_reason: finish,
    logprobs: null,
    message: { role: 'assistant', content, refusal, annotations: [] },
  };
}
