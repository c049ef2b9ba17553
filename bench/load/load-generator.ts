/** The child process of load.ts: receives a Load, sends the requests, and replies with a LoadResult. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Load, LoadResult } from './load.ts';

const [spec] = (await once(process, 'message')) as [Load];
const {
  url,
  alsoUrls = [],
  cookies = [],
  tokens = [],
  fromManyAddresses,
  perSecond,
  connections,
  maxRequests = Number.POSITIVE_INFINITY,
  seconds,
  warmUpSeconds,
  isCompressed,
  recordsVisits,
} = spec;
const dispatcher = new Agent({ connections, pipelining: 1, keepAliveTimeout: 60_000 });
const started = performance.now();
const countFrom = started + warmUpSeconds * 1000;
const end = countFrom + seconds * 1000;
const BROWSERS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
];

/** A visit of one of 20,000 visitors, with an address as a proxy sends it. */
function visitOf(n: number) {
  const visitor = n % 20_000;
  const browser = { screenWidth: 1280, screenHeight: 720, language: 'en-GB', isReturningVisitor: false };
  return {
    method: 'POST' as const,
    body: JSON.stringify({
      pathname: ['/', '/login', '/app/dashboard'][n % 3],
      sessionId: `n${visitor}`,
      ...browser,
    }),
    headers: {
      'content-type': 'application/json',
      'user-agent': BROWSERS[n % 2],
      'x-forwarded-for': `88.198.${visitor >> 8}.${visitor & 255}`,
    },
  };
}

const result: LoadResult = { latencies: [], statuses: {}, seconds };
const urls = [url, ...alsoUrls];
let sent = 0;

async function send(due: number) {
  const cookie = cookies[sent % cookies.length];
  const token = tokens[sent % tokens.length];
  const target = urls[sent % urls.length]!;
  sent += 1;
  let status: string;
  try {
    const headers = {
      accept: 'text/html',
      ...(isCompressed ? { 'accept-encoding': 'gzip, deflate, br' } : {}),
      ...(cookie ? { cookie } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(fromManyAddresses ? { 'x-forwarded-for': `88.198.0.${sent % 250}` } : {}),
    };
    const { statusCode, body } = await request(target, {
      dispatcher,
      headers,
      ...(recordsVisits && visitOf(sent)),
    });
    await body.dump({ limit: 10_000_000 });
    status = String(statusCode);
  } catch (error) {
    status = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
  }
  if (due < countFrom) return;
  result.latencies.push(performance.now() - due);
  result.statuses[status] = (result.statuses[status] ?? 0) + 1;
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
  const sendAll = async () => {
    while (performance.now() < end && sent < maxRequests) await send(performance.now());
  };
  await Promise.all(Array.from({ length: connections }, sendAll));
}

await (perSecond ? openLoop(perSecond) : closedLoop());
result.seconds = Math.min(seconds, (performance.now() - countFrom) / 1000);
await dispatcher.close();
// The channel must not close before the message is sent.
process.send?.(result, () => process.disconnect?.());
