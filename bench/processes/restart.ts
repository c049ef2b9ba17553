/**
 * A rolling deploy under load: every few seconds a new web process takes the place of the old one behind a
 * front that never asks twice, while 100 requests a second go on. Beside it the same load on a web process
 * that stays.
 */
import { createServer, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { addPeople, cookieOf } from '#bench/data/people.ts';
import { load, otherAnswers } from '#bench/load/load.ts';
import { figure, spread, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';
import { freePort } from '#scripts/start/ports.ts';
import { type Part, startPart, waitUntilOk } from '#scripts/start/processes.ts';

const RESTARTS = 3;
const BETWEEN_MS = 4_000;
const RATE = { perSecond: 100, connections: 64, warmUpSeconds: 2, isCompressed: false };
const SECONDS = 30;

type Front = { url: string; sendTo(port: number): void; close(): void };

/** Sends each request on a connection of its own to whichever process is the live one as it comes. */
async function startFront(): Promise<Front> {
  let live = 0;
  const front = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port: live, method, path: url, headers, agent: false });
    onward.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.on('error', () => outgoing.destroy()).pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  const port = await freePort();
  await new Promise<void>((done) => front.listen(port, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${port}`,
    sendTo: (to) => {
      live = to;
    },
    close: () => {
      front.close();
      front.closeAllConnections();
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
  const [user] = await addPeople(db, 1);
  const cookies = [await cookieOf(db, user!)];
  const staying = await buildAndStart();
  const front = await startFront();
  stops.push(async () => front.close());

  title(`Requests failed while restarting under ${RATE.perSecond} requests per second`);
  const url = `${front.url}/app/topics`;
  front.sendTo(Number(process.env.PORT));
  const still = await load({ ...RATE, url, cookies, seconds: SECONDS / 3 });
  figure('a process that stays', otherAnswers(still) || '0', spread(still.latencies));

  let old: { stop(seconds: number): Promise<void> } = staying;
  const loaded = load({ ...RATE, url, cookies, seconds: SECONDS });
  const endings: number[] = [];
  for (let n = 0; n < RESTARTS; n += 1) {
    await wait(BETWEEN_MS);
    const { part, port } = await startWeb();
    stops.push(() => part.stop(5));
    front.sendTo(port);
    const asked = performance.now();
    await old.stop(25);
    endings.push(performance.now() - asked);
    old = part;
  }
  const answered = await loaded;
  const failed = answered.latencies.length - (answered.answers['200'] ?? 0);
  const beside = `${RESTARTS} restarts, ${answered.latencies.length} requests, ${spread(answered.latencies)}`;
  figure('requests failed while restarting', String(failed), beside);
  figure('  answers that were not 200', otherAnswers(answered) || 'none');
  figure('  from SIGTERM to the end', spread(endings));
});
