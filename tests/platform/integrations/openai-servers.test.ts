import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WriterFault } from '#app/integrations/openai/errors.ts';
import {
  askFor,
  type Body,
  connectTo,
  POST,
  type Reply,
  saying,
  writerServer,
} from '#tests/harness/outside/writer-server.ts';

const server = await writerServer();
const JSON_POST = JSON.stringify(POST);
const bad = (error: object | string, status = 400): Reply => ({ status, body: { error } });
const bodies = () => server.heard.map(({ body }) => body);
const lastBody = () => bodies().at(-1)!;
const wordsOf = ({ messages }: Body) => messages.map(({ content }) => content).join('\n');

test('OpenAI gets a strict schema, its own word for the room, little thinking and no temperature', async () => {
  server.will({ body: saying(JSON_POST) });
  assert.deepEqual((await askFor(await connectTo(`${server.url}/v1`))).answer, POST);
  const { body, req } = server.heard[0]!;
  assert.deepEqual([req.url, req.headers.authorization], ['/v1/chat/completions', 'Bearer sk-test']);
  const { messages, response_format, ...rest } = body;
  assert.deepEqual(rest, { model: 'gpt-test', reasoning_effort: 'low', max_completion_tokens: 8_000 });
  assert.deepEqual(
    messages.map(({ role }) => role),
    ['system', 'user'],
  );
  assert.equal(response_format?.type, 'json_schema');
  assert.deepEqual(
    [response_format?.json_schema?.name, response_format?.json_schema?.strict],
    ['post', true],
  );
});

test('a model that does not think is asked without effort from then on', async () => {
  const connection = await connectTo(server.url);
  server.will(
    bad({
      message: 'Unrecognized request argument supplied: reasoning_effort',
      type: 'invalid_request_error',
    }),
    { body: saying(JSON_POST) },
  );
  assert.deepEqual((await askFor(connection)).answer, POST);
  assert.deepEqual((await askFor(connection)).answer, POST);
  assert.deepEqual(
    bodies().map(({ reasoning_effort }) => reasoning_effort),
    ['low', undefined, undefined],
  );
  assert.equal(lastBody().max_completion_tokens, 4_000);
});

test('what thinks longer has more room, and what is not to think is not told', async () => {
  server.will({ body: saying(JSON_POST) });
  await askFor(await connectTo(server.url, { effort: 'high' }));
  await askFor(await connectTo(server.url, { effort: 'off' }));
  assert.deepEqual(
    bodies().map((body) => [body.reasoning_effort, body.max_completion_tokens]),
    [
      ['high', 20_000],
      [undefined, 4_000],
    ],
  );
});

test('Azure is asked at the address of its deployment, with its header and version', async () => {
  server.will({ body: saying(JSON_POST) });
  const settings = { azureVersion: '2024-10-21', model: 'our-writer', apiKey: 'azure-key' };
  for (const base of [server.url, `${server.url}/openai`, `${server.url}/openai/deployments/our-writer`]) {
    await askFor(await connectTo(base, settings));
    const { req } = server.heard.at(-1)!;
    assert.equal(req.url, '/openai/deployments/our-writer/chat/completions?api-version=2024-10-21');
    assert.deepEqual([req.headers['api-key'], req.headers.authorization], ['azure-key', undefined]);
  }
  server.will(bad({ code: 'DeploymentNotFound', message: 'The API deployment does not exist.' }, 404));
  await assert.rejects(askFor(await connectTo(server.url, settings)), /no model our-writer/);
});

test('Ollama: a model without schema and thinking is asked for JSON in words, and its plain errors are read', async () => {
  const connection = await connectTo(server.url);
  server.will(
    bad('"llama3.2" does not support thinking'),
    bad('invalid format: json_schema is not supported'),
    { body: saying(JSON_POST) },
  );
  assert.deepEqual((await askFor(connection)).answer, POST);
  assert.deepEqual(lastBody().response_format, { type: 'json_object' });
  assert.match(wordsOf(lastBody()), /one JSON object[\s\S]*"additionalProperties":false/);
});

test('a server that takes no form at all is asked in words alone', async () => {
  const connection = await connectTo(server.url);
  const refused = bad({ message: 'response_format is not supported by this model' });
  server.will(refused, refused, { body: saying(`Here you are:\n${JSON_POST}`) });
  assert.deepEqual((await askFor(connection)).answer, POST);
  assert.deepEqual(
    bodies().map(({ response_format }) => response_format?.type),
    ['json_schema', 'json_object', undefined],
  );
  await askFor(connection);
  assert.deepEqual([server.heard.length, lastBody().response_format], [4, undefined]);
  assert.match(wordsOf(lastBody()), /one JSON object/);
});

test('many questions at once learn the same', async () => {
  const connection = await connectTo(server.url);
  server.will(({ response_format }) =>
    response_format?.type === 'json_schema'
      ? bad({ message: 'response_format json_schema is not supported' })
      : { body: saying(JSON_POST) },
  );
  const answers = await Promise.all(Array.from({ length: 5 }, () => askFor(connection)));
  assert.ok(answers.every(({ answer }) => answer));
  assert.equal(connection.dialect.structured, 'json');
});

test('what the operator chose is kept to: a server that refuses it is a fault', async () => {
  server.will(bad({ message: 'response_format is not supported', param: 'response_format' }));
  await assert.rejects(askFor(await connectTo(server.url, { structured: 'schema' })), WriterFault);
  assert.equal(server.heard.length, 1);
  for (const [structured, type] of [
    ['json', 'json_object'],
    ['off', undefined],
  ] as const) {
    server.will({ body: saying(JSON_POST) });
    await askFor(await connectTo(server.url, { structured }));
    assert.equal(lastBody().response_format?.type, type);
  }
});

test('a server that takes a schema and does not keep to it is told the shape in words as well', async () => {
  const connection = await connectTo(server.url);
  server.will({ body: saying('Planning is good.') }, { body: saying(JSON_POST) });
  assert.equal((await askFor(connection)).problem, 'wrong-shape');
  assert.deepEqual((await askFor(connection)).answer, POST);
  const [first, second] = bodies();
  assert.doesNotMatch(wordsOf(first!), /JSON schema/);
  assert.match(wordsOf(second!), /JSON schema/);
  assert.equal(second!.response_format?.type, 'json_schema');
});

test('vLLM: an older word for the room, a template without a system, a context that holds the answer as well', async () => {
  const connection = await connectTo(server.url);
  server.will(
    {
      status: 400,
      body: { object: 'error', message: 'extra fields not permitted: max_completion_tokens', code: 400 },
    },
    { status: 400, body: { object: 'error', message: 'System role not supported', code: 400 } },
    bad({
      message:
        'This model’s maximum context length is 4096 tokens. However, you requested 9000 tokens (1000 in the messages, 8000 in the completion). Please reduce the length of the messages or completion.',
    }),
    { body: saying(JSON_POST) },
  );
  assert.deepEqual((await askFor(connection)).answer, POST);
  const { messages, max_tokens, max_completion_tokens } = lastBody();
  assert.deepEqual([max_tokens, max_completion_tokens], [1_500, undefined]);
  assert.deepEqual(messages, [{ role: 'user', content: 'You write posts.\n\nPlanning' }]);
  server.will(
    bad({
      message:
        'This model’s maximum context length is 4096 tokens, 5000 in the messages, 1500 in the completion.',
    }),
  );
  assert.equal((await askFor(connection)).problem, 'too-much-context');
});

test('a model that gives less room than was asked for gets what it gives', async () => {
  const connection = await connectTo(server.url);
  server.will(
    bad({
      message:
        'max_completion_tokens is too large: 8000. This model supports at most 4096 completion tokens.',
      param: 'max_completion_tokens',
    }),
    { body: saying(JSON_POST) },
  );
  await askFor(connection);
  assert.equal(lastBody().max_completion_tokens, 4_096);
});

test('llama.cpp: fields that nobody asked for, and no usage', async () => {
  server.will({ body: { ...saying(JSON_POST), usage: undefined, timings: { predicted_ms: 3 } } });
  const { answer, inputTokens } = await askFor(await connectTo(server.url));
  assert.deepEqual(answer, POST);
  assert.ok(inputTokens > 0);
});

test('a server that refuses everything, or the same for ever, is asked a few times at most', async () => {
  for (const message of [
    'reasoning max_completion_tokens max_tokens response_format system role',
    'max_completion_tokens is too large: this model supports at most 4096 completion tokens',
  ]) {
    server.will(bad({ message }));
    await assert.rejects(askFor(await connectTo(server.url)), WriterFault);
    assert.ok(server.heard.length < 12, String(server.heard.length));
  }
});
