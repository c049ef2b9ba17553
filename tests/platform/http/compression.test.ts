import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type LoaderFunctionArgs, RouterContextProvider } from 'react-router';
import { compressResponse } from '#app/http/request-middleware.ts';
import { compressedResponse } from '#app/http/server/compression.ts';

const page = Buffer.from('<p>Good morning</p>'.repeat(200));
const ask = (headers: Record<string, string> = {}) => new Request('http://127.0.0.1/', { headers });
const lengthOf = ({ headers }: Response) => Number(headers.get('Content-Length'));

test('a response has an encoding that the client accepts, and its length', async () => {
  for (const [accepted, encoding, unpack] of [
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['deflate, gzip;q=0.5', 'gzip', gunzipSync],
  ] as const) {
    const response = compressedResponse(page, ask({ 'Accept-Encoding': accepted }), { status: 503 });
    assert.equal(response.status, 503);
    assert.equal(response.headers.get('Content-Encoding'), encoding);
    assert.equal(response.headers.get('Vary'), 'Accept-Encoding');
    const body = Buffer.from(await response.arrayBuffer());
    assert.equal(lengthOf(response), body.length);
    assert.deepEqual(unpack(body), page);
  }
});

test('who does not take gzip is not sent it', async () => {
  for (const accepted of ['gzip;q=0', 'br;q=0, gzip; q=0.0, *;q=0', 'identity', '']) {
    const response = compressedResponse(page, ask({ 'Accept-Encoding': accepted }), {});
    assert.equal(response.headers.get('Content-Encoding'), null);
    assert.equal(lengthOf(response), page.length);
    assert.equal(await response.text(), page.toString());
  }
});

test('JSON is compressed; short responses, files and encoded responses are not', async () => {
  const request = ask({ 'Accept-Encoding': 'br' });
  const args = { request, params: {}, context: new RouterContextProvider() } as unknown as LoaderFunctionArgs;
  const pass = async (answer: Response) => (await compressResponse(args, async () => answer)) as Response;
  const json = { posts: Array.from({ length: 60 }, () => ({ content: 'Good morning – नमस्ते' })) };
  const sent = await pass(Response.json(json, { status: 201 }));
  assert.deepEqual([sent.status, sent.headers.get('Content-Encoding')], [201, 'br']);
  assert.equal(await pass(sent), sent);
  assert.deepEqual(JSON.parse(brotliDecompressSync(await sent.bytes()).toString()), json);
  const short = await pass(Response.json({ isShort: true }));
  assert.deepEqual([short.headers.get('Content-Encoding'), lengthOf(short)], [null, 16]);
  const file = Response.json(json, { headers: { 'Content-Disposition': 'attachment' } });
  assert.equal(await pass(file), file);
});
