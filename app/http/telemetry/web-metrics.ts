import { Gauge } from 'prom-client';
import { db, pool } from '#app/db/client.ts';
import { type Readings, readOperations } from '#app/domain/operations/readings.ts';
import { logger } from '#app/log.ts';
import { registry } from '#app/metrics.ts';

/** The operations figures are read from the database no more often than this. */
const READ_EVERY_MS = 10_000;

const gauge = <Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) =>
  new Gauge({ name: `tidepost_${name}`, help, labelNames, registers: [registry] });

const connections = gauge('db_connections', 'Connections to Postgres of the web process.', ['state']);
const tick = gauge('tick_last_timestamp_seconds', 'When each tick last ran; 0 before its first time.', [
  'tick',
]);
const laneJobs = gauge('lane_jobs', 'Jobs of each lane: waiting, running, later.', ['lane', 'state']);
const laneOldest = gauge('lane_oldest_seconds', 'For how long the oldest job that can begin has waited.', [
  'lane',
]);
const due = gauge('due_posts', 'Posts whose time has come and that are not out, up to 10,000.');
const dueOldest = gauge('due_oldest_seconds', 'How late the first post is that could go out now.');
const unknown = gauge(
  'unknown_publications',
  'Attempts that LinkedIn has left open and that are still to be confirmed.',
);
const unknownOldest = gauge('unknown_oldest_seconds', 'How old the first of them is.');
const unconfirmed = gauge(
  'unconfirmed_publications',
  'Attempts of which only the owner can say what became of them.',
);
const mails = gauge('mails_waiting', 'Mails that are still to be sent, up to 10,000.');
const mailsOldest = gauge('mails_oldest_seconds', 'For how long the first of them has waited.');
const dead = gauge('dead_jobs', 'Jobs of which every try failed.');
const faults = gauge('operator_faults', 'What only the operator can mend.');
const stopped = gauge('publishing_stopped', '1 while nothing is published for anybody.');
const posts = gauge('linkedin_posts_today', 'Posts that LinkedIn was asked to take today (UTC).');
const limit = gauge('linkedin_posts_limit', 'How many it takes in a day; 0 while that is not known.');
const used = gauge('linkedin_budget_ratio', 'Which share of them is used; 0 while the limit is not known.');
const refused = gauge('linkedin_version_refused', '1 for a version of the API that LinkedIn refuses.', [
  'version',
]);
const writer = gauge('writer_today', 'What the writer was asked today (UTC): calls, tokens.', ['what']);
const ceiling = gauge('writer_ceiling', 'What it may be asked in a day: calls, tokens.', ['what']);
const cost = gauge('writer_cost_today_dollars', 'About what that costs; 0 without prices.');
const isRead = gauge(
  'operations_read',
  '1 when the numbers of operations could be read, 0 when they are old.',
);

const secondsSince = (instant: Date | null, now: Date) =>
  instant ? Math.max(0, (now.getTime() - instant.getTime()) / 1_000) : 0;

function setQueues({ at, ticks, lanes, due: waiting, unknown: open, mails: unsent }: Readings): void {
  for (const { name, last } of ticks) tick.set({ tick: name }, last ? last.getTime() / 1_000 : 0);
  for (const { lane, oldest, ...counts } of lanes) {
    for (const state of ['waiting', 'running', 'later'] as const)
      laneJobs.set({ lane, state }, counts[state]);
    laneOldest.set({ lane }, secondsSince(oldest, at));
  }
  due.set(waiting.count);
  dueOldest.set(secondsSince(waiting.oldest, at));
  unknown.set(open.count);
  unknownOldest.set(secondsSince(open.oldest, at));
  mails.set(unsent.count);
  mailsOldest.set(secondsSince(unsent.oldest, at));
}

function setTotals(readings: Readings): void {
  const { linkedIn } = readings;
  const { calls, inputTokens, outputTokens, bounds } = readings.writer;
  unconfirmed.set(readings.unconfirmed);
  dead.set(readings.dead);
  faults.set(readings.faults);
  stopped.set(readings.isStopped ? 1 : 0);
  posts.set(linkedIn.posts);
  limit.set(linkedIn.limit ?? 0);
  used.set(linkedIn.limit ? linkedIn.posts / linkedIn.limit : 0);
  for (const { version, refusedSince } of linkedIn.versions) refused.set({ version }, refusedSince ? 1 : 0);
  writer.set({ what: 'calls' }, calls);
  writer.set({ what: 'tokens' }, inputTokens + outputTokens);
  ceiling.set({ what: 'calls' }, bounds.calls);
  ceiling.set({ what: 'tokens' }, bounds.tokens);
  const { prices } = bounds;
  cost.set(prices ? (inputTokens * prices.input + outputTokens * prices.output) / 1_000_000 : 0);
}

async function read(): Promise<void> {
  try {
    const readings = await readOperations(db());
    setQueues(readings);
    setTotals(readings);
    isRead.set(1);
  } catch (err) {
    // The other metrics do not need the database.
    logger().warn({ err }, 'the numbers of operations could not be read');
    isRead.set(0);
  }
}

let lastRead: { startedAt: number; done: Promise<void> } | undefined;

function readThrottled(): Promise<void> {
  if (!lastRead || performance.now() - lastRead.startedAt >= READ_EVERY_MS)
    lastRead = { startedAt: performance.now(), done: read() };
  return lastRead.done;
}

export async function scrape(): Promise<Response> {
  await readThrottled();
  const { totalCount, idleCount, waitingCount } = pool();
  connections.set({ state: 'open' }, totalCount);
  connections.set({ state: 'idle' }, idleCount);
  connections.set({ state: 'waited_for' }, waitingCount);
  const headers = { 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' };
  return new Response(await registry.metrics(), { headers });
}
