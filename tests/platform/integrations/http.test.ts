import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callRemote } from '#app/integrations/http/call.ts';
import { nobody, serve, serveSockets } from '#tests/harness/outside/sandbox.ts';

const post = (url: string, timeoutMs = 5_000) => callRemote({ method: 'POST', url, body: 'x', timeoutMs });
const unreachable = { name: 'RemoteUnreachable' };
const uncertain = { name: 'RemoteUncertain' };

test('what never got a connection was not sent', async () => {
  await assert.rejects(post(`${await nobody()}/`), unreachable);
  await assert.rejects(post('http://nowhere.invalid/'), unreachable);
  await assert.rejects(
    callRemote({ method: 'POST', url: 'http://127.0.0.1/', headers: { a: 'b\nc' }, timeoutMs: 100 }),
    unreachable,
  );
});

test('a failed TLS handshake was not sent', async () => {
  const seen: Buffer[] = [];
  const address = await serveSockets((socket) =>
    socket.on('data', (data) => {
      seen.push(Buffer.from(data));
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    }),
  );
  await assert.rejects(post(`https://${address}/`), unreachable);
  assert.doesNotMatch(Buffer.concat(seen).toString(), /POST/);
});

test('a handshake that never ends was not sent, and is waited for no longer than allowed', async () => {
  const address = await serveSockets(() => {});
  const begun = performance.now();
  await assert.rejects(post(`https://${address}/`, 200), unreachable);
  assert.ok(performance.now() - begun < 10_000);
});

test('a connection that is cut after the request is uncertain', async () => {
  const cut = await serveSockets((socket) => socket.on('data', () => socket.destroy()));
  await assert.rejects(post(`http://${cut}/`), uncertain);
  const reset = await serveSockets((socket) => socket.on('data', () => socket.resetAndDestroy()));
  await assert.rejects(post(`http://${reset}/`), uncertain);
  const half = await serveSockets((socket) => socket.on('data', () => socket.end('HTTP/1.1 20')));
  await assert.rejects(post(`http://${half}/`), uncertain);
});

test('no answer within the time is uncertain', async () => {
  const address = await serveSockets(() => {});
  await assert.rejects(post(`http://${address}/`, 1_000), uncertain);
});

test('nothing is sent twice on a kept-alive connection that breaks', async () => {
  let requests = 0;
  const address = await serveSockets((socket) =>
    socket.on('data', () => {
      requests += 1;
      if (requests === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      else socket.destroy();
    }),
  );
  const get = () => callRemote({ method: 'GET', url: `http://${address}/`, timeoutMs: 2_000 });
  assert.equal((await get()).body, 'ok');
  await assert.rejects(get(), uncertain);
  assert.equal(requests, 2);
});

test('redirects are answers and are not followed', async () => {
  const url = await serve((_, res) => res.writeHead(307, { Location: '/elsewhere' }).end());
  const { status, headers } = await post(url);
  assert.equal(status, 307);
  assert.equal(headers.location, '/elsewhere');
});

test('a body that breaks off or is too large leaves the status standing', async () => {
  const url = await serve((req, res) => {
    if (req.url === '/large') return void res.writeHead(201).end(Buffer.alloc(1024 * 1024 + 1, 'x'));
    res.writeHead(201, { 'Content-Length': 100 }).write('{"a":');
    setImmediate(() => res.destroy());
  });
  for (const path of ['/large', '/broken']) {
    const { status, isComplete } = await post(url + path);
    assert.deepEqual([status, isComplete], [201, false]);
  }
});

test('the time limit covers a body that dribbles', async () => {
  const url = await serve((_, res) => void res.writeHead(201).write('x'));
  const { status, isComplete } = await post(url, 300);
  assert.deepEqual([status, isComplete], [201, false]);
});
