import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type LoaderFunctionArgs, RouterContextProvider } from 'react-router';
import { compressResponse, newNonce } from '#app/http/headers.ts';
import { bytesOf, jsonOf, packed } from '#app/http/packed.ts';

const page = Buffer.from('<p>Good morning</p>'.repeat(200));
const ask = (headers: Record<string, string> = {}) => new Request('http://127.0.0.1/', { headers });

test('a response made from bytes keeps them, and whoever reads its body finds the same', async () => {
  const response = packed(page, ask(), { status: 503 });
  assert.deepEqual(bytesOf(response), page);
  assert.equal(response.status, 503);
  assert.equal(await response.text(), page.toString());
  assert.equal(await packed(Buffer.alloc(0), ask(), {}).text(), '');
});

test('what is packed is packed in its body, too, as its reader unpacks it', async () => {
  for (const [accepted, encoding, unpack] of [
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['deflate, gzip;q=0.5', 'gzip', gunzipSync],
  ] as const) {
    const response = packed(page, ask({ 'Accept-Encoding': accepted }), {});
    assert.equal(response.headers.get('Content-Encoding'), encoding);
    assert.equal(response.headers.get('Vary'), 'Accept-Encoding');
    const body = Buffer.from(await response.arrayBuffer());
    assert.deepEqual(body, bytesOf(response));
    assert.deepEqual(unpack(body), page);
  }
});

test('who does not take gzip is not sent it', async () => {
  for (const accepted of ['gzip;q=0', 'br;q=0, gzip; q=0.0, *;q=0', 'identity', '']) {
    const response = packed(page, ask({ 'Accept-Encoding': accepted }), {});
    assert.equal(response.headers.get('Content-Encoding'), null);
    assert.equal(await response.text(), page.toString());
  }
});

test('the JSON of a call is packed once on its way, and read as Response.json says it', async () => {
  const said = { posts: Array.from({ length: 60 }, () => ({ content: 'Good morning – नमस्ते' })) };
  const json = jsonOf(said, 201);
  const like = Response.json(said);
  assert.equal(json.status, 201);
  assert.deepEqual([...json.headers], [...like.headers]);
  assert.equal(await json.clone().text(), await like.text());
  const request = ask({ 'Accept-Encoding': 'br' });
  const args = { request, params: {}, context: new RouterContextProvider() } as unknown as LoaderFunctionArgs;
  const pass = async (answer: Response) => (await compressResponse(args, async () => answer)) as Response;
  const sent = await pass(json);
  assert.deepEqual([sent.status, sent.headers.get('Content-Encoding')], [201, 'br']);
  assert.deepEqual(JSON.parse(brotliDecompressSync(bytesOf(sent)!).toString()), said);
  assert.equal(await pass(sent), sent);
  const plain = { ...args, request: ask({ 'Accept-Encoding': 'gzip;q=0' }) };
  assert.equal(await compressResponse(plain, async () => json), json, 'as it is, and not copied');
});

test('no two answers name the same scripts', () => {
  const nonces = Array.from({ length: 1_000 }, newNonce);
  assert.equal(new Set(nonces).size, nonces.length);
  for (const nonce of nonces) assert.equal(Buffer.from(nonce, 'base64').length, 16);
});
