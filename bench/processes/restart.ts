/**
 * A rolling deploy at 100 requests per second: every few seconds a new web process replaces the old one behind a proxy
 * without retries. It is compared with the same load on a web process that is not restarted.
 */
import { createServer, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { addUsers, cookieOf } from '#bench/data/users.ts';
import { load, otherStatuses } from '#bench/load/load.ts';
import { figure, spread, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';
import { freePort } from '#scripts/start/ports.ts';
import { type Part, startPart, waitUntilOk } from '#scripts/start/processes.ts';

const RESTARTS = 3;
const BETWEEN_MS = 4_000;
const RATE = { perSecond: 100, connections: 64, warmUpSeconds: 2, isCompressed: false };
const SECONDS = 30;

type Proxy = { url: string; sendTo(port: number): void; close(): void };

/** Forwards each request on a connection of its own to the current web process. */
async function startProxy(): Promise<Proxy> {
  let target = 0;
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const forwarded = request({ host: '127.0.0.1', port: target, method, path: url, headers, agent: false });
    forwarded.on('response', (response) => {
      outgoing.writeHead(response.statusCode!, response.headers);
      response.on('error', () => outgoing.destroy()).pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  const port = await freePort();
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${port}`,
    sendTo: (to) => {
      target = to;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function startWeb(): Promise<{ part: Part; port: number }> {
  const port = await freePort();
  const part = startPart({
    name: 'web',
    args: ['node_modules/@react-router/serve/bin.js', './server.ts'],
    env: { ...process.env, PORT: `${port}` },
    print: (line) => line.startsWith('[react-router-serve]') || console.error(`web | ${line}`),
  });
  await waitUntilOk(`http://127.0.0.1:${port}/health`, part, 60);
  return { part, port };
}

await measure(async (stops) => {
  const { db, startWeb: buildAndStart } = await openProduct(stops);
  const [user] = await addUsers(db, 1);
  const cookies = [await cookieOf(db, user!)];
  const first = await buildAndStart();
  const proxy = await startProxy();
  stops.push(async () => proxy.close());

  title(`Requests failed while restarting under ${RATE.perSecond} requests per second`);
  const url = `${proxy.url}/app/topics`;
  proxy.sendTo(Number(process.env.PORT));
  const steady = await load({ ...RATE, url, cookies, seconds: SECONDS / 3 });
  figure('a process that stays', otherStatuses(steady) || '0', spread(steady.latencies));

  let old: { stop(seconds: number): Promise<void> } = first;
  const running = load({ ...RATE, url, cookies, seconds: SECONDS });
  const endings: number[] = [];
  for (let n = 0; n < RESTARTS; n += 1) {
    await wait(BETWEEN_MS);
    const { part, port } = await startWeb();
    stops.push(() => part.stop(5));
    proxy.sendTo(port);
    const signalledAt = performance.now();
    await old.stop(25);
    endings.push(performance.now() - signalledAt);
    old = part;
  }
  const result = await running;
  const failed = result.latencies.length - (result.statuses['200'] ?? 0);
  const beside = `${RESTARTS} restarts, ${result.latencies.length} requests, ${spread(result.latencies)}`;
  figure('requests failed while restarting', String(failed), beside);
  figure('  answers that were not 200', otherStatuses(result) || 'none');
  figure('  from SIGTERM to the end', spread(endings));
});
