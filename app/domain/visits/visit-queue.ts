/*
 * Queues visits in memory and writes them in batches, one each second, so that no page waits for the database. A killed
 * process loses the visits of its last second. Visits above the limits are dropped and counted: see `takeDropped`.
 */
import { createHmac } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Db } from '#app/db/client.ts';
import { lookUpPlace } from '#app/domain/platform/geoip.ts';
import { keyFor } from '#app/domain/platform/secrets.ts';
import { type Agent, agentOf } from './agents.ts';
import { pageOf } from './page-patterns.ts';
import type { Visit } from './schema.ts';
import { type StoredVisit, storeVisits } from './store-visits.ts';
import { type Bound, countVisit, noteStored, secondsLeft } from './visit-bounds.ts';

const QUEUE_MAX = 2_000;
/** Of one address: more than the people in an office load in a second. */
const QUEUE_PER_ADDRESS_MAX = 20;
/** New User-Agent headers that are parsed for a batch, and in a day: each takes as long as a hundred cached ones. */
const PARSED_PER_BATCH_MAX = 100;
const PARSED_PER_DAY_MAX = 20_000;
/** The event loop runs other work between chunks. */
const CHUNK = 100;

/** `by`: the client for rate limits; by default the address. */
type QueuedVisit = { visit: Visit; at: Date; address: string | undefined; by?: string; userAgent: string };

let queue: QueuedVisit[] = [];
let countByAddress = new Map<string, number>();
let inFlight = 0;
let dropped: Dropped = {};
let parseBudget = { day: '', left: PARSED_PER_DAY_MAX };

type DropReason = Bound | 'all.second' | 'address.second' | 'not_written';
export type Dropped = Partial<Record<DropReason, number>>;

function drop(reason: DropReason, count = 1): void {
  dropped[reason] = (dropped[reason] ?? 0) + count;
}

/** Queues a visit. Returns 0, or the seconds to wait when a limit is reached and the visit is dropped. */
export function queueVisit(visit: QueuedVisit): number {
  const key = visit.by ?? visit.address ?? '';
  const at = visit.at.getTime();
  const queued = countByAddress.get(key) ?? 0;
  if (queue.length >= QUEUE_MAX || queued >= QUEUE_PER_ADDRESS_MAX) {
    drop(queued >= QUEUE_PER_ADDRESS_MAX ? 'address.second' : 'all.second');
    return 1;
  }
  const bound = countVisit(key, visit.visit.sessionId, at, queue.length + inFlight);
  if (bound) {
    drop(bound);
    return secondsLeft(bound, at);
  }
  countByAddress.set(key, queued + 1);
  queue.push(visit);
  return 0;
}

export function takeDropped(): Dropped {
  const counts = dropped;
  dropped = {};
  return counts;
}

/**
 * Returns an id for a kind of browser at an address that changes every day. There are few kinds, so a client can't appear
 * as many visitors.
 */
function visitorOf(
  { address = '' }: QueuedVisit,
  { device, browser, system }: Agent,
  day: string,
  key: Buffer,
) {
  const hash = createHmac('sha256', key).update([day, address, device, browser, system].join('\n')).digest();
  return hash.readBigInt64BE().toString();
}

const LANGUAGE = /^([a-z]{2,3})(?:[-_][A-Za-z]{4})?(?:[-_]([A-Za-z]{2}))?(?![A-Za-z])/;

function languageOf(tag: string | null | undefined): string {
  const [, language, region] = LANGUAGE.exec(tag ?? '') ?? [];
  return [language, region?.toUpperCase()].filter(Boolean).join('-');
}

function toStoredVisit(queued: QueuedVisit, budget: { left: number }, key: Buffer): StoredVisit | undefined {
  const { visit, at, address, userAgent } = queued;
  const agent = agentOf(userAgent, budget);
  if (!agent) return undefined;
  const { country = '', city = '' } = address ? lookUpPlace(address) : {};
  return {
    visitedAt: at.toISOString(),
    address: address ?? null,
    sessionId: visit.sessionId,
    visitor: visitorOf(queued, agent, at.toISOString().slice(0, 10), key),
    page: pageOf(visit.pathname),
    isReturning: visit.isReturningVisitor ?? false,
    country,
    city,
    language: languageOf(visit.language),
    ...agent,
    screenWidth: visit.screenWidth ?? null,
    screenHeight: visit.screenHeight ?? null,
  };
}

function budgetOf(at: Date): { left: number } {
  const day = at.toISOString().slice(0, 10);
  if (parseBudget.day !== day) parseBudget = { day, left: PARSED_PER_DAY_MAX };
  return { left: Math.min(PARSED_PER_BATCH_MAX, parseBudget.left) };
}

async function writeBatch(db: Db, batch: QueuedVisit[]): Promise<void> {
  const budget = budgetOf(batch[0]!.at);
  const initial = budget.left;
  const key = keyFor('visitors');
  const visits: StoredVisit[] = [];
  for (const [index, queued] of batch.entries()) {
    const visit = toStoredVisit(queued, budget, key);
    if (visit) visits.push(visit);
    if (index % CHUNK === CHUNK - 1) await setImmediate();
  }
  parseBudget.left -= initial - Math.max(0, budget.left);
  for (const { day, visits: count } of await storeVisits(db, visits)) noteStored(day, count);
}

export async function writeVisits(db: Db): Promise<void> {
  const batch = queue;
  queue = [];
  countByAddress = new Map();
  if (batch.length === 0) return;
  inFlight += batch.length;
  try {
    await writeBatch(db, batch);
  } catch (error) {
    drop('not_written', batch.length);
    throw error;
  } finally {
    inFlight -= batch.length;
  }
}
