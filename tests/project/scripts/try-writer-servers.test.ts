import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { serve, startOutside } from '#tests/harness/outside/sandbox.ts';
import { look } from '#tests/harness/try-writer.ts';

const outside = await startOutside();

type Body = Record<string, unknown> & { messages: { role: string; content: string }[] };
type Answer = { status?: number; body: unknown };
/** Refuses what a server refuses, in its words; else says how its answer differs from the one of the sandbox. */
type Server = (
  body: Body,
  request: IncomingMessage,
) => Answer | { format?: unknown; reshape?: (content: string) => object; without?: string[] };

const no = (status: number, error: unknown): Answer => ({ status, body: { error } });
const isAnswer = (said: ReturnType<Server>): said is Answer => 'body' in said;
const typeOf = ({ response_format }: Body) => (response_format as { type?: string } | undefined)?.type;

/** Words of the sandbox, with the manners of another server. */
async function serverLike(manners: Server) {
  const heard: Body[] = [];
  const url = await serve(async (request, response) => {
    const body = JSON.parse(await text(request)) as Body;
    heard.push(body);
    const said = manners(body, request);
    const send = (status: number, what: unknown) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(what));
    };
    if (isAnswer(said)) return send(said.status ?? 200, said.body);
    const { format, reshape = (content) => ({ content }), without = [] } = said;
    const asked = { model: 'gpt-5-mini', messages: body.messages, response_format: format };
    const whole = await fetch(`${outside.url}/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { Authorization: 'Bearer sk-local' },
      body: JSON.stringify(asked),
    });
    const completion = (await whole.json()) as {
      choices: { message: { content: string } }[];
      usage?: unknown;
    };
    const { message } = completion.choices[0]!;
    Object.assign(message, reshape(message.content));
    for (const name of without) delete (completion as Record<string, unknown>)[name];
    send(200, completion);
  });
  return { url, heard };
}

/** What the command says of a server, and the status it ends with. */
const lookAt = (settings: Record<string, string>) =>
  look(['Weekly planning for small teams'], { OPENAI_API_KEY: 'any', ...settings });

const THOUGHTS = '<think>A post about {"planning"}, then.\n</think>\n';

/** An Ollama model that cannot think on demand, and does so aloud; forms are taken and not kept to. */
const ollama: Server = (body) => {
  if (body.reasoning_effort)
    return no(400, { message: '"qwen3" does not support thinking', type: 'api_error' });
  return { reshape: (content) => ({ content: THOUGHTS + content }), without: ['usage', 'service_tier'] };
};

/** A vLLM with a template without a system message; its reasoning stands beside the text. */
const vllm: Server = (body) => {
  if (body.max_completion_tokens || body.reasoning_effort) {
    const name = body.max_completion_tokens ? 'max_completion_tokens' : 'reasoning_effort';
    const message = `[{'type': 'extra_forbidden', 'loc': ('body', '${name}'), 'msg': 'Extra inputs are not permitted'}]`;
    return {
      status: 400,
      body: { object: 'error', message, type: 'BadRequestError', param: null, code: 400 },
    };
  }
  if (body.messages.some(({ role }) => role === 'system')) {
    const message = 'System role not supported';
    return {
      status: 400,
      body: { object: 'error', message, type: 'BadRequestError', param: null, code: 400 },
    };
  }
  if (body.messages.some(({ role }, at) => role === body.messages[at - 1]?.role)) {
    return no(400, { message: 'Conversation roles must alternate user/assistant/user/assistant/...' });
  }
  return {
    format: body.response_format,
    reshape: (content) => ({ content, reasoning_content: 'The reader wants a post.' }),
  };
};

/** A llama.cpp from before it knew schemas: it refuses them with a 500. */
const llama: Server = (body) => {
  if (typeOf(body) === 'json_schema') {
    const message = 'response_format type must be one of "text" or "json_object", but got: json_schema';
    return no(500, { code: 500, message, type: 'server_error' });
  }
  return {
    format: body.response_format,
    reshape: (content) => ({ content: `\`\`\`json\n${content}\n\`\`\`` }),
  };
};

/** An Azure deployment behind an older version of its API. */
const azure: Server = (body, { url, headers }) => {
  if (url !== '/openai/deployments/our-writer/chat/completions?api-version=2024-06-01') {
    return no(404, { code: '404', message: 'Resource not found' });
  }
  if (headers['api-key'] !== 'azure-key') {
    return no(401, { code: '401', message: 'Access denied due to invalid subscription key.' });
  }
  for (const name of ['reasoning_effort', 'max_completion_tokens']) {
    const message = `Unrecognized request argument supplied: ${name}`;
    if (body[name]) return no(400, { message, type: 'invalid_request_error', param: null, code: null });
  }
  if (typeOf(body) === 'json_schema') {
    const message =
      'response_format value as json_schema is enabled only for api versions 2024-08-01-preview and later';
    return no(400, { code: 'BadRequest', message, param: 'response_format', type: null });
  }
  return { format: body.response_format };
};

/** A gateway that knows no forms at all, and answers in parts. */
const gateway: Server = (body) => {
  if (body.response_format) {
    return no(422, [{ loc: ['body', 'response_format'], msg: 'Extra inputs are not permitted' }]);
  }
  const halves = (content: string) => [content.slice(0, 90), content.slice(90)];
  return {
    reshape: (content) => ({ content: halves(content).map((half) => ({ type: 'text', text: half })) }),
    without: ['id', 'object', 'created', 'usage'],
  };
};

const SERVERS: [string, Server, Record<string, string>][] = [
  ['Ollama', ollama, { OPENAI_MODEL: 'qwen3' }],
  ['vLLM', vllm, {}],
  ['llama.cpp', llama, {}],
  [
    'Azure',
    azure,
    { OPENAI_API_VERSION: '2024-06-01', OPENAI_MODEL: 'our-writer', OPENAI_API_KEY: 'azure-key' },
  ],
  ['a gateway', gateway, {}],
];
for (const [name, manners, settings] of SERVERS) {
  test(`${name} writes three posts, and is asked in its own manner from the second on`, async () => {
    const { url, heard } = await serverLike(manners);
    const { said, status } = await lookAt({ OPENAI_BASE_URL: url, ...settings });
    assert.equal(status, 0, said);
    assert.match(said, /3 of 3 posts passed\./);
    assert.doesNotMatch(said, /<think|```/);
    const manner = ({ messages, model, ...rest }: Body) =>
      [messages.some(({ role }) => role === 'system'), ...Object.keys(rest)].join();
    const [last] = heard.slice(-1).map(manner);
    const learnt = heard.findIndex((body) => manner(body) === last);
    assert.ok(learnt <= 4, `learnt after ${learnt} requests`);
    assert.ok(heard.slice(learnt).every((body) => manner(body) === last));
  });
}

test('a server that still loads its model, and one that thinks of nothing else, are told in a sentence', async () => {
  const loading = await serverLike(() =>
    no(503, { code: 503, message: 'Loading model', type: 'unavailable_error' }),
  );
  const thinking = await serverLike(() => ({ reshape: () => ({ content: '<think>Hm. And then' }) }));
  const [first, second] = await Promise.all(
    [loading, thinking].map(({ url }) => lookAt({ OPENAI_BASE_URL: url })),
  );
  assert.deepEqual([first!.status, second!.status], [1, 1]);
  assert.match(first!.said, /The writer answered 503 \(OPENAI_BASE_URL is http/);
  assert.match(second!.said, /no post: the writer answered with nothing\.[\s\S]*0 of 3 posts passed/);
});
