import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { requestCompletionOn } from '#app/integrations/openai/ask.ts';
import { type Connection, type ConnectionSettings, connect } from '#app/integrations/openai/client.ts';
import { serve } from './sandbox.ts';

export type Body = {
  model: string;
  messages: { role: string; content: string }[];
  response_format?: { type: string; json_schema?: { name: string; strict: boolean; schema: object } };
  reasoning_effort?: string;
  max_completion_tokens?: number;
  max_tokens?: number;
};
export type Reply = {
  status?: number;
  headers?: Record<string, string>;
  /** An object goes as JSON; a string as it is, with the content type of `headers`; undefined never comes. */
  body?: unknown;
};

export const Post = z.object({ content: z.string(), tags: z.array(z.string()) });
export const POST = { content: 'A post about planning.', tags: ['planning'] };

/** A completion around a message, as OpenAI writes it. */
export const completion = (message: unknown, rest: object = {}) => ({
  model: 'gpt-test-2026',
  choices: [{ index: 0, finish_reason: 'stop', message, ...rest }],
  usage: { prompt_tokens: 20, completion_tokens: 10 },
});
/** One whose message says a text. */
export const saying = (content: unknown, rest: object = {}) =>
  completion({ role: 'assistant', content }, rest);

/** A server that answers each request as `reply` says, in turn with the last one for good. */
export async function writerServer() {
  const heard: { body: Body; req: IncomingMessage }[] = [];
  let replies: ((body: Body) => Reply)[] = [];
  const url = await serve(async (req, res) => {
    const body = JSON.parse((await text(req)) || '{}') as Body;
    heard.push({ body, req });
    const reply = replies.length > 1 ? replies.shift()! : replies[0]!;
    const { status = 200, headers = {}, body: answer } = reply(body);
    if (answer === undefined) return;
    const type = typeof answer === 'string' ? {} : { 'Content-Type': 'application/json' };
    res.writeHead(status, { ...type, ...headers });
    res.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  return {
    url,
    heard,
    will(...next: (Reply | ((body: Body) => Reply))[]) {
      heard.length = 0;
      replies = next.map((each) => (typeof each === 'function' ? each : () => each));
    },
  };
}

export const connectTo = (baseUrl: string, settings: Partial<ConnectionSettings> = {}) =>
  connect({
    apiKey: 'sk-test',
    baseUrl,
    model: 'gpt-test',
    structured: 'auto',
    effort: 'low',
    timeoutMs: 5_000,
    ...settings,
  });

export const askFor = (connection: Connection, input: object = {}) =>
  requestCompletionOn(connection, {
    name: 'post',
    shape: Post,
    signal: new AbortController().signal,
    messages: [
      { role: 'system', content: 'You write posts.' },
      { role: 'user', content: 'Planning' },
    ],
    ...input,
  });
