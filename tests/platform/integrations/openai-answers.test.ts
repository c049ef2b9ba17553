import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { WriterBusy, WriterFault } from '#app/integrations/openai/errors.ts';
import { nobody, serve } from '#tests/harness/outside/sandbox.ts';
import {
  askFor,
  completion,
  connectTo,
  POST,
  type Reply,
  saying,
  writerServer,
} from '#tests/harness/outside/writer-server.ts';

const server = await writerServer();
const JSON_POST = JSON.stringify(POST);
const MANY_BYTES = 128 * 1024 * 1024;

/** The answer of a connection that knows nothing yet. */
async function ask(...replies: Reply[]) {
  server.will(...replies);
  return askFor(await connectTo(server.url));
}
const refusal = (status: number, error: unknown, headers = {}): Reply => ({
  status,
  headers,
  body: { error },
});

test('an answer comes with its text, its model and its tokens', async () => {
  assert.deepEqual(await ask({ body: saying(JSON_POST) }), {
    answer: POST,
    text: JSON_POST,
    model: 'gpt-test-2026',
    inputTokens: 20,
    outputTokens: 10,
  });
});

const GOOD: [string, unknown][] = [
  [
    'content as parts',
    [
      { type: 'text', text: JSON_POST.slice(0, 9) },
      { type: 'text', text: JSON_POST.slice(9) },
    ],
  ],
  ['a code fence', `\`\`\`json\n${JSON_POST}\n\`\`\``],
  ['a sentence around it', `Sure! Here it is:\n\`\`\`\n${JSON_POST}\n\`\`\`\nHave fun.`],
  ['words before it', `Here is the post: ${JSON_POST}`],
  ['thinking before it', `<think>A {brace} and a plan.</think>\n${JSON_POST}`],
  ['thinking whose beginning the template wrote', `I could say {this}.\n</think>\n\n${JSON_POST}`],
];
for (const [name, content] of GOOD) {
  test(`an answer is read through ${name}`, async () => {
    assert.deepEqual((await ask({ body: saying(content) })).answer, POST);
  });
}

test('a post about thinking keeps its tags', async () => {
  const about = { content: 'What <think> and </think> are for.', tags: [] };
  assert.deepEqual((await ask({ body: saying(JSON.stringify(about)) })).answer, about);
});

test('reasoning beside the text is ignored, and tokens that are not counted are estimated', async () => {
  const body = { choices: [{ message: { content: JSON_POST, reasoning_content: '{"content":"x"}' } }] };
  const { answer, model, inputTokens, outputTokens } = await ask({ body });
  assert.deepEqual([answer, model], [POST, 'gpt-test']);
  assert.ok(inputTokens > 10 && inputTokens < 100, String(inputTokens));
  assert.ok(outputTokens > 10 && outputTokens < 100, String(outputTokens));
});

const BAD: [string, string, unknown][] = [
  ['a refusal', 'declined', completion({ content: null, refusal: 'I can’t help with that.' })],
  ['a refusal as a part', 'declined', saying([{ type: 'refusal', refusal: 'No.' }])],
  ['a filter', 'filtered', saying('{"content":"A', { finish_reason: 'content_filter' })],
  [
    'a filter that leaves the message out',
    'filtered',
    completion(undefined, { finish_reason: 'content_filter' }),
  ],
  ['nothing', 'empty', saying('')],
  ['no content', 'empty', saying(null)],
  ['thinking alone', 'empty', saying('<think>Hm.')],
  ['wrong keys', 'wrong-shape', saying('{"post":"A post","hashtags":[]}')],
  ['a wrong type', 'wrong-shape', saying('{"content":"A","tags":"b"}')],
  ['broken JSON', 'wrong-shape', saying(`${JSON_POST.slice(0, -1)},,`)],
  ['a plain text', 'wrong-shape', saying('A post about planning.')],
];
for (const [name, problem, body] of BAD) {
  test(`${name} is a problem of the answer: ${problem}`, async () => {
    const answered = await ask({ body });
    assert.deepEqual([answered.problem, answered.inputTokens, answered.outputTokens], [problem, 20, 10]);
  });
}

test('what cannot be read is handed on, so that it can be mended', async () => {
  assert.equal((await ask({ body: saying('{"post":1}') })).text, '{"post":1}');
});

test('an answer that is cut off gets more room once, and the room is kept in mind', async () => {
  const cut = { body: saying(JSON_POST.slice(0, 12), { finish_reason: 'length' }) };
  const connection = await connectTo(server.url);
  server.will(cut, { body: saying(JSON_POST) });
  const { answer, inputTokens } = await askFor(connection, { maxTokens: 1_000 });
  assert.deepEqual([answer, inputTokens], [POST, 40]);
  await askFor(connection, { maxTokens: 1_000 });
  assert.deepEqual(
    server.heard.map(({ body }) => body.max_completion_tokens),
    [5_000, 6_000, 6_000],
  );
  server.will(cut);
  assert.equal((await askFor(connection)).problem, 'cut-off');
  assert.equal(server.heard.length, 2);
});

const POLICY: [string, number, unknown][] = [
  [
    'content_policy_violation',
    400,
    { message: 'Rejected', type: 'invalid_request_error', code: 'content_policy_violation' },
  ],
  [
    'invalid_prompt',
    400,
    { message: 'Invalid prompt', type: 'invalid_request_error', code: 'invalid_prompt' },
  ],
  [
    'the filter of Azure',
    400,
    {
      message:
        'The response was filtered due to the prompt triggering Azure OpenAI’s content management policy.',
      code: 'content_filter',
    },
  ],
  ['words alone', 400, { message: 'Your request was rejected by our safety system.' }],
];
for (const [name, status, error] of POLICY) {
  test(`a server that refuses the subject says so: ${name}`, async () => {
    const answered = await ask(refusal(status, error));
    assert.deepEqual([answered.problem, answered.inputTokens, server.heard.length], ['against-policy', 0, 1]);
  });
}

const LONG: [string, number, unknown][] = [
  [
    'OpenAI',
    400,
    {
      message: 'This model’s maximum context length is 8192 tokens.',
      code: 'context_length_exceeded',
      param: 'messages',
    },
  ],
  [
    'llama.cpp',
    400,
    {
      code: 400,
      message: 'the request exceeds the available context size',
      type: 'exceed_context_size_error',
    },
  ],
  ['a proxy', 413, 'Payload Too Large'],
];
for (const [name, status, error] of LONG) {
  test(`messages that are too long are a problem of their own: ${name}`, async () => {
    assert.equal((await ask(refusal(status, error))).problem, 'too-much-context');
  });
}

async function thrown(...replies: Reply[]): Promise<Error> {
  const error = await ask(...replies).then(
    () => assert.fail('it answered'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof WriterBusy || error instanceof WriterFault, String(error));
  return error;
}

const HTML = '<!doctype html><title>502 Bad Gateway</title>';
const BROKEN: [string, Reply][] = [
  ['a page with 200', { headers: { 'Content-Type': 'text/html' }, body: HTML }],
  ['a text with 200', { headers: { 'Content-Type': 'text/plain' }, body: JSON_POST }],
  ['a page that calls itself JSON', { headers: { 'Content-Type': 'application/json' }, body: HTML }],
  ['an empty body', { headers: { 'Content-Type': 'application/json' }, body: '' }],
  ['an error with 200', { body: { error: { message: 'Provider returned error', code: 502 } } }],
  ['an error with 200 that is a sentence', { body: { error: 'upstream failed' } }],
  ['no choices', { body: { ...saying(JSON_POST), choices: [] } }],
  ['a choice without parts', { body: { choices: [{}] } }],
  ['another kind of object', { body: { status: 'ok' } }],
  ['null', { body: 'null', headers: { 'Content-Type': 'application/json' } }],
  ['500', refusal(500, { message: 'The server had an error', type: 'server_error', code: null })],
  ['503 with a page', { status: 503, headers: { 'Content-Type': 'text/html' }, body: HTML }],
  [
    'a model that is loading',
    refusal(503, { code: 503, message: 'Loading model', type: 'unavailable_error' }),
  ],
  ['a conflict', refusal(409, { message: 'Conflict' })],
];
for (const [name, reply] of BROKEN) {
  test(`${name} is a server that cannot answer now`, async () => {
    assert.ok((await thrown(reply)) instanceof WriterBusy);
  });
}

test('a body that breaks off, and a server that is not there, cannot answer now', async () => {
  const broken = {
    headers: { 'Content-Type': 'application/json', 'Content-Length': '900' },
    body: '{"choices"',
  };
  server.will(() => broken);
  await assert.rejects(askFor(await connectTo(server.url, { timeoutMs: 1_000 })), WriterBusy);
  await assert.rejects(askFor(await connectTo(await nobody())), WriterBusy);
});

test('an answer without end is given up long before the memory is full', async () => {
  for (const status of [200, 500]) {
    let sent = 0;
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const url = await serve((req, res) => {
      req.resume();
      res.on('close', resolve).writeHead(status, { 'Content-Type': 'application/json' });
      const spaces = Readable.from(
        (function* () {
          for (; sent < MANY_BYTES; sent += 65_536) yield Buffer.alloc(65_536, ' ');
        })(),
      );
      spaces.pipe(res);
    });
    await assert.rejects(askFor(await connectTo(url)), WriterBusy);
    await closed;
    assert.ok(sent < MANY_BYTES / 2, `${sent} bytes were taken`);
  }
});

test('a text that is far too long for an answer is none, and only its beginning is handed on', async () => {
  const long = JSON.stringify({ ...POST, tags: ['a'.repeat(60_000)] });
  const { problem, text } = await ask({ body: saying(long) });
  assert.deepEqual([problem, text?.length], ['wrong-shape', 50_000]);
});

test('a server that hangs is given up after its time, or as soon as nobody waits any more', async () => {
  server.will({});
  await assert.rejects(askFor(await connectTo(server.url, { timeoutMs: 300 })), /took too long/);
  await assert.rejects(
    askFor(await connectTo(server.url), { signal: AbortSignal.timeout(200) }),
    (error) => error instanceof WriterBusy && /took too long/.test(error.message),
  );
});

const date = (ms: number) => new Date(Date.now() + ms).toUTCString();
const WAITS: [string, Record<string, string>, (seconds: number | null) => boolean][] = [
  ['seconds', { 'Retry-After': '120' }, (seconds) => seconds === 120],
  ['a date', { 'Retry-After': date(90_000) }, (seconds) => seconds! > 80 && seconds! <= 90],
  ['a date that is past', { 'Retry-After': date(-90_000) }, (seconds) => seconds === 0],
  ['milliseconds', { 'retry-after-ms': '1500', 'Retry-After': '2' }, (seconds) => seconds === 1.5],
  ['nothing', {}, (seconds) => seconds === null],
  ['nonsense', { 'Retry-After': 'soon' }, (seconds) => seconds === null],
];
for (const [name, headers, isRight] of WAITS) {
  test(`429 says when to come again in ${name}`, async () => {
    const error = await thrown(refusal(429, { message: 'Rate limit', code: 'rate_limit_exceeded' }, headers));
    assert.ok(error instanceof WriterBusy && isRight(error.retryAfterSeconds), String(error));
  });
}

const KEY = 'Incorrect API key provided: sk-te**************st.';
const FAULTS: [string, Reply, RegExp][] = [
  ['a bad key', refusal(401, { message: KEY, code: 'invalid_api_key' }), /refuses the key in OPENAI_API_KEY/],
  [
    'no quota',
    refusal(429, { message: 'Quota', type: 'insufficient_quota', code: 'insufficient_quota' }),
    /quota is used up/,
  ],
  [
    'no credits',
    refusal(429, { message: 'No credits', code: 'credit_balance_exhausted' }),
    /quota is used up/,
  ],
  [
    'no quota with 200',
    { body: { error: { message: 'Quota', code: 'insufficient_quota' } } },
    /quota is used up/,
  ],
  ['402', refusal(402, { message: 'Insufficient credits' }), /quota is used up/],
  [
    'an unknown model',
    refusal(404, { message: 'The model `gpt-test` does not exist', code: 'model_not_found' }),
    /no model gpt-test/,
  ],
  [
    'an unknown model of Ollama',
    refusal(404, 'model "gpt-test" not found, try pulling it first'),
    /no model gpt-test/,
  ],
  [
    'a wrong address',
    { status: 404, headers: { 'Content-Type': 'text/html' }, body: '<h1>Not Found</h1>' },
    /OPENAI_BASE_URL/,
  ],
  [
    'a country',
    refusal(403, { message: 'No', code: 'unsupported_country_region_territory' }),
    /403 unsupported_country/,
  ],
  [
    'another 400',
    refusal(400, { message: `Bad: ${KEY}`, type: 'invalid_request_error', param: 'n' }),
    /\(400 invalid_request_error n\)/,
  ],
];
for (const [name, reply, words] of FAULTS) {
  test(`${name} is a fault of the operator, told without a key`, async () => {
    const error = await thrown(reply);
    assert.ok(error instanceof WriterFault);
    assert.match(error.message, words);
    assert.doesNotMatch(JSON.stringify(error, Object.getOwnPropertyNames(error)), /sk-te/);
  });
}
