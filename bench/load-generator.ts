/** The other process of load.ts: takes one order, sends the requests, answers with what it measured. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Load, Loaded } from './load.ts';

const [spec] = (await once(process, 'message')) as [Load];
const { url, cookies = [], perSecond, connections, seconds, warmUpSeconds, isCompressed } = spec;
const dispatcher = new Agent({ connections, pipelining: 1, keepAliveTimeout: 60_000 });
const started = performance.now();
const countFrom = started + warmUpSeconds * 1000;
const end = countFrom + seconds * 1000;
const loaded: Loaded = { latencies: [], answers: {}, seconds };
let sent = 0;

async function send(due: number) {
  const cookie = cookies[sent % cookies.length];
  sent += 1;
  let answer: string;
  try {
    const headers = {
      accept: 'text/html',
      ...(isCompressed ? { 'accept-encoding': 'gzip, deflate, br' } : {}),
      ...(cookie ? { cookie } : {}),
    };
    const { statusCode, body } = await request(url, { dispatcher, headers });
    await body.dump({ limit: 10_000_000 });
    answer = String(statusCode);
  } catch (error) {
    answer = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
  }
  if (due < countFrom) return;
  loaded.latencies.push(performance.now() - due);
  loaded.answers[answer] = (loaded.answers[answer] ?? 0) + 1;
}

async function openLoop(rate: number) {
  const pending: Promise<void>[] = [];
  for (let n = 0; ; n += 1) {
    const due = started + (n * 1000) / rate;
    if (due >= end) break;
    const wait = due - performance.now();
    if (wait > 0) await pause(wait);
    pending.push(send(due));
  }
  await Promise.all(pending);
}

async function closedLoop() {
  const one = async () => {
    while (performance.now() < end) await send(performance.now());
  };
  await Promise.all(Array.from({ length: connections }, one));
}

await (perSecond ? openLoop(perSecond) : closedLoop());
await dispatcher.close();
// The channel must not close before the message has left.
process.send?.(loaded, () => process.disconnect?.());
