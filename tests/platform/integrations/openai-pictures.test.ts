import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PictureUnseen, WriterBusy, WriterFault } from '#app/integrations/openai/errors.ts';
import { png } from '#tests/fixtures/pictures.ts';
import {
  askFor,
  connectTo,
  POST,
  type Reply,
  saying,
  writerServer,
} from '#tests/harness/outside/writer-server.ts';

const server = await writerServer();
const JSON_POST = JSON.stringify(POST);
const picture = { bytes: png(640, 400), contentType: 'image/png' };
const withPicture = {
  messages: [
    { role: 'system', content: 'You look at pictures.' },
    { role: 'user', content: 'What is there?', picture },
  ],
};
const refused = (status: number, error: object | string): Reply => ({ status, body: { error } });

test('a picture goes with the words about it, and everything else stays a text', async () => {
  server.will({ body: saying(JSON_POST) });
  assert.deepEqual((await askFor(await connectTo(server.url), withPicture)).answer, POST);
  const url = `data:image/png;base64,${picture.bytes.toString('base64')}`;
  assert.deepEqual(server.heard[0]!.body.messages as unknown, [
    { role: 'system', content: 'You look at pictures.' },
    {
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url } },
        { type: 'text', text: 'What is there?' },
      ],
    },
  ]);
});

test('a picture of any length is sent whole, its length told before, and to its place alone', async () => {
  const typed = 'Mine: "url":"data:image/png;base64,"';
  for (const length of [1, 2, 3, 49_151, 49_152, 49_153, 300_000]) {
    const bytes = Buffer.from(Array.from({ length }, (_, at) => at % 251));
    server.will({ body: saying(JSON_POST) });
    const pictured = { bytes, contentType: 'image/jpeg' };
    const messages = [{ role: 'user', content: typed, picture: pictured }];
    assert.deepEqual((await askFor(await connectTo(server.url), { messages })).answer, POST);
    const { body, req } = server.heard[0]!;
    const [image, words] = body.messages.at(-1)!.content as unknown as [{ image_url: object }, object];
    const url = `data:image/jpeg;base64,${bytes.toString('base64')}`;
    assert.deepEqual([image.image_url, words], [{ url }, { type: 'text', text: typed }]);
    assert.ok(Number(req.headers['content-length']) > length);
    assert.equal(req.headers['transfer-encoding'], undefined);
  }
});

test('a picture survives what the server has to be told differently', async () => {
  const connection = await connectTo(server.url);
  server.will(
    refused(400, { message: 'Unrecognized request argument supplied: reasoning_effort' }),
    refused(400, { message: 'System role not supported' }),
    { body: saying(JSON_POST) },
  );
  assert.deepEqual((await askFor(connection, withPicture)).answer, POST);
  const [only, ...others] = server.heard.at(-1)!.body.messages as unknown as { content: unknown[] }[];
  assert.equal(others.length, 0);
  assert.deepEqual(only!.content[1], { type: 'text', text: 'You look at pictures.\n\nWhat is there?' });
});

test('a picture that is not counted costs about what one costs, however many bytes it has', async () => {
  const body = { choices: [{ message: { content: JSON_POST } }] };
  server.will({ body });
  const bytes = Buffer.alloc(3_000_000, 7);
  const messages = [{ role: 'user', content: 'Look', picture: { bytes, contentType: 'image/png' } }];
  const { inputTokens } = await askFor(await connectTo(server.url), { messages });
  assert.ok(inputTokens > 1_000 && inputTokens < 2_000, String(inputTokens));
});

test('a picture that is too much for a server leaves the next one as much room as before', async () => {
  const connection = await connectTo(server.url);
  const full =
    'This model’s maximum context length is 8192 tokens. You requested 9216 (8192 in the messages, 1024 in the completion)';
  server.will(refused(400, { message: full }));
  assert.equal((await askFor(connection, withPicture)).problem, 'too-much-context');
  const tried = server.heard.map(({ body }) => body.max_completion_tokens);
  assert.equal(tried.length, 2);
  for (const asked of [withPicture, {}]) {
    server.will({ body: saying(JSON_POST) });
    assert.deepEqual((await askFor(connection, asked)).answer, POST);
    assert.deepEqual(
      server.heard.map(({ body }) => body.max_completion_tokens),
      [tried[0]],
    );
  }
  server.will(refused(400, { message: 'Unsupported parameter: reasoning_effort' }), {
    body: saying(JSON_POST),
  });
  await askFor(connection, withPicture);
  server.will({ body: saying(JSON_POST) });
  await askFor(connection, withPicture);
  assert.deepEqual([server.heard.length, server.heard[0]!.body.reasoning_effort], [1, undefined]);
  server.will({ body: saying('A pier.') }, { body: saying(JSON_POST) });
  assert.equal((await askFor(connection, withPicture)).problem, 'wrong-shape');
  await askFor(connection, withPicture);
  assert.match(server.heard[1]!.body.messages[0]!.content, /one JSON object/);
});

/** As the servers say it, with their statuses. */
const BLIND: [string, number, object | string][] = [
  [
    'OpenAI and Azure',
    400,
    {
      message: 'Invalid content type. image_url is only supported by certain models.',
      type: 'invalid_request_error',
      param: 'messages.[0].content.[1].type',
    },
  ],
  [
    'llama.cpp',
    500,
    {
      code: 500,
      message:
        'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
      type: 'server_error',
    },
  ],
  ['llama.cpp before', 500, { code: 500, message: 'Unsupported content part type: "image_url"' }],
  ['vLLM', 400, { message: 'writer-7b is not a multimodal model', type: 'BadRequestError', code: 400 }],
  ['vLLM before', 400, { message: 'At most 0 image(s) may be provided in one request.' }],
  ['Ollama', 400, 'this model does not support image input'],
  [
    'Ollama before',
    400,
    'json: cannot unmarshal array into Go struct field Message.messages.content of type string',
  ],
  ['a router', 404, { message: 'No endpoints found that support image input', code: 404 }],
  ['a strict reader', 422, { message: 'messages[1]: unknown variant `image_url`, expected `text`' }],
  ['a validator', 422, { message: 'body.messages.1.content: Input should be a valid string' }],
];
for (const [who, status, error] of BLIND) {
  test(`${who}: a model that does not look at pictures is known by its refusal`, async () => {
    server.will(refused(status, error));
    await assert.rejects(askFor(await connectTo(server.url), withPicture), (thrown) => {
      assert.ok(thrown instanceof PictureUnseen, String(thrown));
      assert.equal(thrown.isBlind, true);
      return true;
    });
    assert.equal(server.heard.length, 1);
  });
}

test('a picture that a server cannot read says nothing about its eyes', async () => {
  for (const error of [
    { message: 'You uploaded an unsupported image. Please make sure your image is valid.' },
    { message: 'Bad request', code: 'invalid_image_format' },
    { message: 'cannot identify image file' },
    { message: 'Failed to load image or audio file' },
    { message: 'invalid image input' },
    'illegal base64 data at input byte 5',
  ]) {
    server.will(refused(400, error));
    await assert.rejects(askFor(await connectTo(server.url), withPicture), (thrown) => {
      assert.ok(thrown instanceof PictureUnseen, String(thrown));
      assert.equal(thrown.isBlind, false, JSON.stringify(error));
      return true;
    });
  }
});

test('a key, a rate and a fault of the server are no matter of pictures, and a text meets none of it', async () => {
  const about = 'image_url';
  server.will(refused(401, { message: about }));
  await assert.rejects(askFor(await connectTo(server.url), withPicture), WriterFault);
  server.will(refused(429, { message: about }));
  await assert.rejects(askFor(await connectTo(server.url), withPicture), WriterBusy);
  server.will(refused(500, { message: 'The server had an error.' }));
  await assert.rejects(askFor(await connectTo(server.url), withPicture), WriterBusy);
  server.will(refused(400, { message: 'image_url' }));
  await assert.rejects(askFor(await connectTo(server.url)), WriterFault);
});

test('a picture that is too large is a problem of its length', async () => {
  server.will({ status: 413, headers: { 'Content-Type': 'text/html' }, body: '<h1>413 Too Large</h1>' });
  const { problem } = await askFor(await connectTo(server.url), withPicture);
  assert.equal(problem, 'too-much-context');
});

test('a server that sends a picture elsewhere is one for the operator, and is asked once', async () => {
  for (const status of [301, 302, 307, 308]) {
    const body = `<h1>${status} Moved</h1>`;
    server.will({ status, headers: { Location: '/elsewhere' }, body }, { body: saying(JSON_POST) });
    await assert.rejects(askFor(await connectTo(server.url), withPicture), (thrown) => {
      assert.ok(thrown instanceof WriterFault, String(thrown));
      assert.match(thrown.message, new RegExp(`has moved \\(${status}\\): OPENAI_BASE_URL`));
      return true;
    });
    assert.equal(server.heard.length, 1);
  }
});
