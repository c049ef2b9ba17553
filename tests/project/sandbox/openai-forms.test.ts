import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import OpenAI from 'openai';
import { gif, jpeg, png } from '#tests/fixtures/pictures.ts';
import { startTestSandbox, type TestSandbox } from '#tests/harness/outside/sandbox-process.ts';

let sandbox: TestSandbox;
before(async () => {
  sandbox = await startTestSandbox();
});
after(() => sandbox.close());
beforeEach(() => sandbox.reset());

const PROMPT = 'Write a post.\n```\nTopic: Onboarding new colleagues\nTone: casual\n```';
const client = () => new OpenAI({ apiKey: 'sk-local', baseURL: `${sandbox.url}/openai/v1`, maxRetries: 0 });

async function refused(call: Promise<unknown>, status: number, words: RegExp) {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof OpenAI.APIError, String(error));
    assert.equal(error.status, status);
    assert.match(`${error.code} ${error.message}`, words);
    return true;
  });
}

type Body = OpenAI.ChatCompletionCreateParamsNonStreaming;

test('a stream brings the same words in pieces, the reason of its end, and what it cost when asked', async () => {
  const stream = await client().chat.completions.create({
    model: 'gpt-5-mini',
    messages: [{ role: 'user', content: PROMPT }],
    stream: true,
    stream_options: { include_usage: true },
  });
  const chunks: OpenAI.ChatCompletionChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const choices = chunks.flatMap((chunk) => chunk.choices);
  const text = choices.map(({ delta }) => delta.content ?? '').join('');
  assert.ok(chunks.length > 10);
  assert.match(text, /onboarding new colleagues/i);
  assert.equal(choices.at(-1)?.finish_reason, 'stop');
  assert.ok((chunks.at(-1)?.usage?.completion_tokens ?? 0) > 50);
  assert.ok(chunks.every(({ id, object }) => id === chunks[0]!.id && object === 'chat.completion.chunk'));
  const options = { stream_options: { include_usage: true } };
  await refused(
    client().chat.completions.create({ model: 'gpt-5-mini', messages: [], ...options } as Body),
    400,
    /only allowed when 'stream' is enabled/,
  );
});

test('a stream that declines says so in its place', async () => {
  await sandbox.fault({ kind: 'writer.refusal', times: 1 });
  const messages = [{ role: 'user' as const, content: PROMPT }];
  const stream = await client().chat.completions.create({ model: 'gpt-5-mini', messages, stream: true });
  const deltas: { content?: string | null; refusal?: string | null }[] = [];
  for await (const { choices } of stream) deltas.push(...choices.map(({ delta }) => delta));
  assert.match(deltas.map(({ refusal }) => refusal ?? '').join(''), /can’t help/);
  assert.ok(deltas.every(({ content }) => !content));
});

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['content'],
  properties: { content: { type: 'string' } },
};
const respond = (body: object) =>
  client().responses.create({
    model: 'gpt-5-mini',
    input: PROMPT,
    ...body,
  } as never) as Promise<OpenAI.Responses.Response>;

test('responses are answered in their own shape, under the same rules', async () => {
  const format = { type: 'json_schema', name: 'post', strict: true, schema: SCHEMA };
  const answer = await respond({ instructions: 'You write posts.', text: { format }, store: false });
  assert.deepEqual(
    [answer.object, answer.status, (answer as { store?: boolean }).store],
    ['response', 'completed', false],
  );
  assert.match(JSON.parse(answer.output_text).content, /onboarding new colleagues/i);
  assert.ok(answer.usage!.output_tokens > 50);
  const listed = await respond({
    input: [{ role: 'user', content: [{ type: 'input_text', text: PROMPT }] }],
  });
  assert.match(listed.output_text, /onboarding new colleagues/i);
  const cut = await respond({ max_output_tokens: 20 });
  assert.deepEqual([cut.status, cut.incomplete_details], ['incomplete', { reason: 'max_output_tokens' }]);
  await sandbox.fault({ kind: 'writer.refusal', times: 1 });
  const [message] = (await respond({})).output;
  assert.ok(message?.type === 'message' && message.content[0]?.type === 'refusal');
  const { additionalProperties: _, ...open } = SCHEMA;
  await refused(respond({ text: { format: { ...format, schema: open } } }), 400, /'additionalProperties'/);
  await refused(respond({ messages: [] }), 400, /unknown_parameter .*'messages'/);
  await refused(respond({ input: undefined }), 400, /missing_required_parameter .*'input'/);
  await refused(respond({ input: [{ content: PROMPT }] }), 400, /expected a message with a role/);
  await refused(
    respond({ model: 'gpt-4o-mini', reasoning: { effort: 'low' } }),
    400,
    /unsupported_parameter/,
  );
  await refused(respond({ stream: true }), 400, /not streamed/);
  await sandbox.fault({ kind: 'writer.429', times: 1 });
  await refused(respond({}), 429, /rate_limit_exceeded/);
});

const dataUrl = (bytes: Buffer, type = 'png') => `data:image/${type};base64,${bytes.toString('base64')}`;
const look = (url: unknown, change: Record<string, unknown> = {}, role = 'user') => {
  const content = [
    { type: 'text', text: 'Language: en. What is to be seen?' },
    { type: 'image_url', image_url: { url, ...(change.image as object) } },
  ];
  const { image: _, ...rest } = change;
  return client().chat.completions.create({
    model: 'gpt-5-mini',
    messages: [{ role, content }],
    ...rest,
  } as Body);
};
const seen = async (asked: ReturnType<typeof look>) => (await asked).choices[0]!.message.content;

test('a model that sees is shown pictures, and counts them', async () => {
  assert.equal(await seen(look(dataUrl(png(640, 400)))), 'A wide frame of 640 by 400 pixels');
  assert.equal(await seen(look(dataUrl(jpeg(400, 640), 'jpeg'))), 'A tall frame of 400 by 640 pixels');
  assert.match((await seen(look(dataUrl(gif(), 'gif'), { image: { detail: 'low' } })))!, /square/);
  assert.ok((await look(dataUrl(png()))).usage!.prompt_tokens > 1_000);
});

test('what is no picture, and who does not see, is refused in the words of OpenAI', async () => {
  const whole = dataUrl(png(640, 400));
  await refused(
    look(whole, { model: 'gpt-3.5-turbo' }),
    400,
    /Invalid content type\. image_url is only supported by certain models/,
  );
  await refused(look(dataUrl(Buffer.from('<svg/>'))), 400, /invalid_image_format .*unsupported image/);
  await refused(
    look('data:text/html;base64,PGI+'),
    400,
    /invalid_value .*Expected a base64-encoded data URL/,
  );
  await refused(look('https://pictures.example/a.png'), 400, /invalid_image_url/);
  await refused(look(whole, { image: { detail: 'all' } }), 400, /'low', 'high', and 'auto'/);
  await refused(look(whole, {}, 'system'), 400, /only allowed for messages with role 'user'/);
  const say = (content: unknown) =>
    client().chat.completions.create({ model: 'gpt-5-mini', messages: [{ role: 'user', content }] } as Body);
  await refused(say([{ type: 'video', video: 'x' }]), 400, /Invalid value: 'video'/);
  await refused(say([{ type: 'image_url', image_url: whole }]), 400, /invalid_type .*expected an object/);
  await refused(
    say([{ type: 'text' }]),
    400,
    /Missing required parameter: 'messages\[0\]\.content\[0\]\.text'/,
  );
  await refused(say(null), 400, /expected one of a string or array of objects, but got null/);
});

test('the faults of pictures strike at pictures alone', async () => {
  for (const [kind, words] of [
    ['writer.blind', /only supported by certain models/],
    ['writer.bad-picture', /invalid_image_format/],
  ] as const) {
    await sandbox.fault({ kind, times: 1 });
    assert.ok(
      await client().chat.completions.create({
        model: 'gpt-5-mini',
        messages: [{ role: 'user', content: PROMPT }],
      }),
    );
    await refused(look(dataUrl(png())), 400, words);
  }
});
