import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBody } from '#app/http/forms/read-body.ts';

const LIMIT = 64 * 1024;

/** A body that never ends and says nothing about its length. */
function endless() {
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      sent += LIMIT;
      controller.enqueue(new Uint8Array(LIMIT).fill(97));
    },
  });
  const request = new Request('http://127.0.0.1/', { method: 'POST', body, duplex: 'half' } as RequestInit);
  return { request, sent: () => sent };
}

test('a body is read no further than its limit', async () => {
  const { request, sent } = endless();
  assert.equal(await readBody(request, LIMIT), undefined);
  assert.ok(sent() <= 4 * LIMIT);
});

test('a body within the limit is read whole, whatever its pieces', async () => {
  const text = 'Überraschung '.repeat(500);
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const request = new Request('http://127.0.0.1/', { method: 'POST', body, duplex: 'half' } as RequestInit);
  assert.equal(String(await readBody(request, LIMIT)), text);
});

test('a body in more pieces than a network makes is read no further', async () => {
  const inPieces = (count: number) => {
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (sent++ < count) controller.enqueue(Uint8Array.of(97));
        else controller.close();
      },
    });
    return new Request('http://127.0.0.1/', { method: 'POST', body, duplex: 'half' } as RequestInit);
  };
  assert.equal((await readBody(inPieces(16_384), LIMIT))?.length, 16_384);
  assert.equal(await readBody(inPieces(16_385), LIMIT), undefined);
});

test('a body that announces more is not read at all', async () => {
  const headers = { 'Content-Length': String(LIMIT + 1) };
  const request = new Request('http://127.0.0.1/', { method: 'POST', body: 'a', headers });
  assert.equal(await readBody(request, LIMIT), undefined);
  assert.equal(request.bodyUsed, false);
});
