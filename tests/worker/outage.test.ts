import assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { enqueueDuePosts } from '#app/domain/queue/due.ts';
import { startOutside } from '#tests/make/outside.ts';
import { setStage } from '#tests/worker/stage.ts';
import { soon, until } from '#tests/worker/until.ts';
import { startWire } from '#tests/worker/wire.ts';

const outside = await startOutside();
const wire = await startWire(outside.url);

/** A way to the database that can be cut, and mended. */
async function wayTo(database: string) {
  const url = new URL(database);
  const { hostname, port } = url;
  const ends = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket) => {
    ends.add(socket.on('error', () => {}));
    socket.on('close', () => ends.delete(socket));
    return socket;
  };
  const server = createServer((near) => {
    keep(near);
    if (isCut) return void near.destroy();
    const far = keep(connect(Number(port), hostname));
    near.on('close', () => far.destroy()).pipe(far);
    far.on('close', () => near.destroy()).pipe(near);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const cut = () => {
    isCut = true;
    for (const socket of ends) socket.resetAndDestroy();
  };
  after(() => {
    cut();
    server.close();
  });
  url.port = `${(server.address() as AddressInfo).port}`;
  const mend = () => {
    isCut = false;
  };
  return { url: url.href, cut, mend };
}

test('the database is away while a post is sent: every lane goes on when it is back', async (t) => {
  const stage = await setStage(t, outside, wire);
  const way = await wayTo(stage.url);
  const worker = await stage.worker({}, [], way.url);
  const sent = await stage.duePost();
  const answer = wire.holdPost('after', sent.marker);
  await enqueueDuePosts(stage.db);
  await soon('the network has answered', answer.held);
  way.cut();
  answer.open();
  await worker.said('has ended');
  await wait(2_000);
  way.mend();
  const next = await stage.duePost();
  await enqueueDuePosts(stage.db);
  await until('the next post is out', async () => (await stage.read(next)).post.status === 'published');
  await stage.forget();
  await stage.settle(sent);
  for (const post of [sent, next]) assert.equal((await stage.verdict(post)).post.status, 'published');
  worker.signal('SIGTERM');
  assert.equal(await soon('the worker ends', worker.ended), 0, worker.output());
});

test('the database is away when the worker is told to stop: it stops', async (t) => {
  const stage = await setStage(t, outside, wire);
  const way = await wayTo(stage.url);
  const worker = await stage.worker({}, [], way.url);
  const post = await stage.duePost();
  const answer = wire.holdPost('after', post.marker);
  await enqueueDuePosts(stage.db);
  await soon('the network has answered', answer.held);
  way.cut();
  answer.open();
  await worker.said('has ended');
  worker.signal('SIGTERM');
  assert.equal(await soon('the worker ends', worker.ended), 0, worker.output());
});
