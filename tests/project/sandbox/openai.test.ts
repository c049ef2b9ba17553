import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import OpenAI from 'openai';
import { startTestSandbox, type TestSandbox } from '#tests/harness/outside/sandbox-process.ts';

let sandbox: TestSandbox;
before(async () => {
  sandbox = await startTestSandbox();
});
after(() => sandbox.close());
beforeEach(() => sandbox.reset());

const SCHEMA = {
  type: 'object',
  properties: { content: { type: 'string' }, hashtags: { type: 'array', items: { type: 'string' } } },
  required: ['content', 'hashtags'],
  additionalProperties: false,
};
const PROMPT =
  'Write a post.\n```\nTopic: Onboarding new colleagues\nKeywords: mentoring, checklists\nTone: casual\n```';

function client(apiKey = 'sk-local') {
  return new OpenAI({ apiKey, baseURL: `${sandbox.url}/openai/v1`, maxRetries: 0 });
}

function write(schema: Record<string, unknown> = SCHEMA, apiKey?: string) {
  return client(apiKey).chat.completions.create({
    model: 'gpt-5-mini',
    messages: [
      { role: 'system', content: 'You write posts.' },
      { role: 'user', content: PROMPT },
    ],
    response_format: { type: 'json_schema', json_schema: { name: 'post', strict: true, schema } },
  });
}

async function refused(call: Promise<unknown>, status: number, words: RegExp) {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof OpenAI.APIError);
    assert.equal(error.status, status);
    assert.match(`${error.code} ${error.message}`, words);
    return true;
  });
}

test('the answer is JSON of the asked shape, with the model and the tokens', async () => {
  const answer = await write();
  const post = JSON.parse(answer.choices[0]?.message.content ?? '');
  assert.deepEqual(Object.keys(post), ['content', 'hashtags']);
  assert.match(post.content, /onboarding new colleagues/i);
  assert.deepEqual(post.hashtags, ['mentoring', 'checklists', 'onboardingNewColleagues']);
  assert.equal(answer.model, 'gpt-5-mini');
  assert.equal(answer.choices[0]?.finish_reason, 'stop');
  assert.ok((answer.usage?.completion_tokens ?? 0) > 100);
  const models = await client().models.list();
  assert.ok(models.data.some((model) => model.id === 'gpt-5-mini'));
});

test('a key that does not start with sk- is refused without being shown', async () => {
  await refused(write(SCHEMA, 'my-very-secret-key'), 401, /^invalid_api_key (?!.*my-very-secret-key)/);
});

test('schemas outside the strict subset are refused', async () => {
  const { additionalProperties: _, ...open } = SCHEMA;
  await refused(write(open), 400, /'additionalProperties' is required to be supplied and to be false/);
  await refused(write({ ...SCHEMA, required: ['content'] }), 400, /Missing 'hashtags'/);
  const nested = { ...SCHEMA, properties: { ...SCHEMA.properties, content: { allOf: [] } } };
  await refused(write(nested), 400, /'allOf' is not permitted/);
  await refused(
    write({ type: 'array', items: SCHEMA }),
    400,
    /schema must be a JSON Schema of 'type: "object"'/,
  );
});

test('the writer’s refusals and broken answers come as the real ones do', async () => {
  const choice = async (kind: string) => {
    await sandbox.fault({ kind, times: 1 });
    return (await write()).choices[0]!;
  };
  const refusal = await choice('writer.refusal');
  assert.equal(refusal.message.content, null);
  assert.match(refusal.message.refusal ?? '', /can’t help/);
  const cut = await choice('writer.truncated');
  assert.equal(cut.finish_reason, 'length');
  assert.throws(() => JSON.parse(cut.message.content ?? ''));
  const malformed = await choice('writer.malformed');
  assert.equal(malformed.finish_reason, 'stop');
  assert.throws(() => JSON.parse(malformed.message.content ?? ''));
  const content = async (kind: string) => JSON.parse((await choice(kind)).message.content ?? '').content;
  assert.ok((await content('writer.too-short')).length < 200);
  assert.match(await content('writer.markdown'), /^## [\s\S]*\*\*/);
  assert.match(await content('writer.placeholder'), /\[Company Name\]/);
});

test('the writer’s errors carry OpenAI’s codes', async () => {
  await sandbox.fault({ kind: 'writer.429', times: 1, delayMs: 1500 });
  await assert.rejects(write(), (error) => {
    assert.ok(error instanceof OpenAI.RateLimitError);
    assert.equal(error.headers.get('retry-after'), '2');
    assert.equal(error.code, 'rate_limit_exceeded');
    return true;
  });
  await sandbox.fault({ kind: 'writer.429-quota', times: 1 });
  await refused(write(), 429, /insufficient_quota/);
  await sandbox.fault({ kind: 'writer.500', times: 1 });
  await refused(write(), 500, /server had an error/);
  await sandbox.fault({ kind: 'writer.401', times: 1 });
  await refused(write(), 401, /invalid_api_key/);
  await sandbox.fault({ kind: 'writer.500', match: 'another topic' });
  assert.ok(await write());
});

test('strict schemas of any kind are answered by values that fit them', async () => {
  const strict = (properties: Record<string, unknown>) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });
  const schema = strict({
    content: { type: 'string' },
    score: { type: 'integer' },
    verdict: { enum: ['good', 'bad'] },
    note: { type: ['string', 'null'] },
    parts: { type: 'array', items: strict({ isRight: { type: 'boolean' } }) },
    other: { anyOf: [{ $ref: '#/$defs/Other' }, { type: 'null' }] },
  });
  const answer = await write({ ...schema, $defs: { Other: strict({ name: { type: 'string' } }) } });
  const { content, ...rest } = JSON.parse(answer.choices[0]?.message.content ?? '');
  assert.match(content, /onboarding/i);
  assert.deepEqual(rest, {
    score: 1,
    verdict: 'good',
    note: 'Something about note',
    parts: [{ isRight: true }],
    other: { name: 'Something about name' },
  });
});

const ask = (body: object) =>
  client().chat.completions.create({
    model: 'gpt-5-mini',
    messages: [{ role: 'user', content: PROMPT }],
    ...body,
  } as OpenAI.ChatCompletionCreateParamsNonStreaming);

test('one model is looked up, and an unknown one is refused', async () => {
  assert.equal((await client().models.retrieve('gpt-4o-mini')).id, 'gpt-4o-mini');
  await refused(client().models.retrieve('gpt-nobody'), 404, /model_not_found/);
  await refused(ask({ model: 'gpt-nobody' }), 404, /model_not_found .*`gpt-nobody` does not exist/);
});

test('parameters that are unknown, wrong or not for the model are refused', async () => {
  await refused(ask({ max_output_tokens: 9 }), 400, /unknown_parameter .*'max_output_tokens'/);
  await refused(ask({ max_completion_tokens: 0 }), 400, /Invalid value for 'max_completion_tokens'/);
  await refused(ask({ reasoning_effort: 'much' }), 400, /Invalid value for 'reasoning_effort'/);
  await refused(ask({ max_tokens: 900 }), 400, /unsupported_parameter .*Use 'max_completion_tokens' instead/);
  await refused(ask({ temperature: 0.5 }), 400, /unsupported_parameter .*'temperature'/);
  await refused(
    ask({ model: 'gpt-4o-mini', reasoning_effort: 'low' }),
    400,
    /unsupported_parameter .*effort/,
  );
  assert.ok(await ask({ model: 'gpt-4o-mini', max_tokens: 900, temperature: 0.5 }));
  assert.ok(await ask({ reasoning_effort: 'low', max_completion_tokens: 9_000, temperature: 1 }));
});

test('what is longer than the model can read is refused, and the room of the answer is kept to', async () => {
  const messages = [{ role: 'user', content: `${PROMPT}\n${'word '.repeat(110_000)}` }];
  await refused(ask({ model: 'gpt-4o-mini', messages }), 400, /context_length_exceeded/);
  const cut = await ask({ max_completion_tokens: 20 });
  assert.equal(cut.choices[0]?.finish_reason, 'length');
  assert.equal(cut.choices[0]?.message.content?.length, 80);
});
