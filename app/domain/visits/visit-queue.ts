/**
 * Visits on their way to the database. They wait in the memory of the process and go out together, each second: a page waits
 * for nothing of this, and a process that is killed loses what came in its last second. What is more than can be written is
 * let go and counted: see `takeDropped`.
 */
import { createHmac } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Db } from '#app/db/client.ts';
import { lookUpPlace } from '#app/domain/platform/geoip.ts';
import { keyFor } from '#app/domain/platform/secrets.ts';
import { type Agent, agentOf } from './agents.ts';
import { pageOf } from './page-patterns.ts';
import type { Visit } from './schema.ts';
import { type StoredVisit, storeVisits } from './store-visits.ts';
import { type Bound, countVisit, noteStored, secondsLeft } from './visit-bounds.ts';

/** So many wait at most, and so many of them from one address: an office behind one has fewer people than that. */
const MOST_WAITING = 2_000;
const MOST_OF_ONE = 20;
/** Texts of browsers never seen before that are read for a batch, and in a day; each takes as long as a hundred known ones. */
const MOST_READ = 100;
const MOST_READ_A_DAY = 20_000;
/** Between so many, others have their turn. */
const AT_A_TIME = 100;

/** `by`: whose it is, as limits count it; else the address. */
type Waiting = { visit: Visit; at: Date; address: string | undefined; by?: string; userAgent: string };

let waiting: Waiting[] = [];
let ofAddress = new Map<string, number>();
/** Taken off there, and not yet counted by the database. */
let onTheirWay = 0;
let dropped: Dropped = {};
let readOn = { day: '', left: MOST_READ_A_DAY };

type Why = Bound | 'all.second' | 'address.second' | 'not_written';
/** How many were let go, by the bound that they were beyond. */
export type Dropped = Partial<Record<Why, number>>;

function letGo(why: Why, count = 1): void {
  dropped[why] = (dropped[why] ?? 0) + count;
}

/** Puts a visit with the others that wait. Answers 0, or, when there is no room for it, how many seconds to wait. */
export function queueVisit(come: Waiting): number {
  const key = come.by ?? come.address ?? '';
  const at = come.at.getTime();
  const before = ofAddress.get(key) ?? 0;
  if (waiting.length >= MOST_WAITING || before >= MOST_OF_ONE) {
    letGo(before >= MOST_OF_ONE ? 'address.second' : 'all.second');
    return 1;
  }
  const bound = countVisit(key, come.visit.sessionId, at, waiting.length + onTheirWay);
  if (bound) {
    letGo(bound);
    return secondsLeft(bound, at);
  }
  ofAddress.set(key, before + 1);
  waiting.push(come);
  return 0;
}

/** The visits that were let go since this was asked last. */
export function takeDropped(): Dropped {
  const counts = dropped;
  dropped = {};
  return counts;
}

/**
 * Says of a kind of browser at an address on a day that it is the same again, and on no other day. As there are few kinds, what
 * is sent makes few visitors of an address.
 */
function visitorOf({ address = '' }: Waiting, { device, browser, system }: Agent, day: string, key: Buffer) {
  const hash = createHmac('sha256', key).update([day, address, device, browser, system].join('\n')).digest();
  return hash.readBigInt64BE().toString();
}

const LANGUAGE = /^([a-z]{2,3})(?:[-_][A-Za-z]{4})?(?:[-_]([A-Za-z]{2}))?(?![A-Za-z])/;

function languageOf(said: string | null | undefined): string {
  const [, language, region] = LANGUAGE.exec(said ?? '') ?? [];
  return [language, region?.toUpperCase()].filter(Boolean).join('-');
}

/** A visit as it is stored, or undefined when it is a robot's. */
function storedVisit(come: Waiting, budget: { left: number }, key: Buffer): StoredVisit | undefined {
  const { visit, at, address, userAgent } = come;
  const agent = agentOf(userAgent, budget);
  if (!agent) return undefined;
  const { country = '', city = '' } = address ? lookUpPlace(address) : {};
  return {
    visitedAt: at.toISOString(),
    address: address ?? null,
    sessionId: visit.sessionId,
    visitor: visitorOf(come, agent, at.toISOString().slice(0, 10), key),
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

/** How many texts of browsers may be read for a batch. */
function budgetOf(at: Date): { left: number } {
  const day = at.toISOString().slice(0, 10);
  if (readOn.day !== day) readOn = { day, left: MOST_READ_A_DAY };
  return { left: Math.min(MOST_READ, readOn.left) };
}

async function writeBatch(db: Db, batch: Waiting[]): Promise<void> {
  const budget = budgetOf(batch[0]!.at);
  const mayRead = budget.left;
  const key = keyFor('visitors');
  const visits: StoredVisit[] = [];
  for (const [index, come] of batch.entries()) {
    const visit = storedVisit(come, budget, key);
    if (visit) visits.push(visit);
    if (index % AT_A_TIME === AT_A_TIME - 1) await turn();
  }
  readOn.left -= mayRead - Math.max(0, budget.left);
  for (const { day, visits: count } of await storeVisits(db, visits)) noteStored(day, count);
}

/** Writes down what waits. What cannot be written is let go, like what there is no room for. */
export async function writeVisits(db: Db): Promise<void> {
  const batch = waiting;
  waiting = [];
  ofAddress = new Map();
  if (batch.length === 0) return;
  onTheirWay += batch.length;
  try {
    await writeBatch(db, batch);
  } catch (error) {
    letGo('not_written', batch.length);
    throw error;
  } finally {
    onTheirWay -= batch.length;
  }
}
