/**
 * Visits on their way to the database. They wait in the memory of the process and go out together, each second: a page waits
 * for nothing of this, and a process that is killed loses what came in its last second. What is more than can be written is
 * let go and counted: see `takeDropped`.
 */
import { createHmac } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Db } from '#app/db/client.ts';
import { placeOf } from '#app/domain/place-of.ts';
import { keyFor } from '#app/domain/secrets.ts';
import { agentOf } from './agents.ts';
import { pageOf } from './known-pages.ts';
import type { Visit } from './schema.ts';
import { type StoredVisit, storeVisits } from './store-visits.ts';

/** So many wait at most, and so many of them from one address: an office behind one has fewer people than that. */
const MOST_WAITING = 2_000;
const MOST_OF_ONE = 20;
/** Texts of browsers never seen before that are read for a batch; each takes as long as a hundred known ones. */
const MOST_READ = 100;
/** Between so many, others have their turn. */
const AT_A_TIME = 100;

/** `by`: whose it is, as limits count it; else the address. */
type Waiting = { visit: Visit; at: Date; address: string | undefined; by?: string; userAgent: string };

let waiting: Waiting[] = [];
let ofAddress = new Map<string, number>();
let dropped = 0;

/** Puts a visit with the others that wait. Answers whether there was room. */
export function queueVisit(come: Waiting): boolean {
  const key = come.by ?? come.address ?? '';
  const before = ofAddress.get(key) ?? 0;
  if (waiting.length >= MOST_WAITING || before >= MOST_OF_ONE) {
    dropped += 1;
    return false;
  }
  ofAddress.set(key, before + 1);
  waiting.push(come);
  return true;
}

/** How many visits were let go since this was asked last. */
export function takeDropped(): number {
  const count = dropped;
  dropped = 0;
  return count;
}

/** Says of a browser at an address on a day that it is the same again, and on no other day. */
function visitorOf({ address = '', userAgent }: Waiting, day: string, key: Buffer): string {
  const hash = createHmac('sha256', key).update(`${day}\n${address}\n${userAgent}`).digest();
  return hash.readBigInt64BE().toString();
}

const LANGUAGE = /^([a-z]{2,3})(?:[-_][A-Za-z]{4})?(?:[-_]([A-Za-z]{2}))?(?![A-Za-z])/;

function languageOf(said: string | null | undefined): string {
  const [, language, region] = LANGUAGE.exec(said ?? '') ?? [];
  return [language, region?.toUpperCase()].filter(Boolean).join('-');
}

/** A visit as it is stored, or undefined when it is a robot's. */
function described(come: Waiting, budget: { left: number }, key: Buffer): StoredVisit | undefined {
  const { visit, at, address, userAgent } = come;
  const agent = agentOf(userAgent, budget);
  if (!agent) return undefined;
  const { country = '', city = '' } = address ? placeOf(address) : {};
  return {
    ...{ visitedAt: at.toISOString(), address: address ?? null, sessionId: visit.sessionId },
    visitor: visitorOf(come, at.toISOString().slice(0, 10), key),
    ...{ page: pageOf(visit.pathname), isReturning: visit.isReturningVisitor ?? false },
    ...{ country, city, language: languageOf(visit.language), ...agent },
    ...{ screenWidth: visit.screenWidth ?? null, screenHeight: visit.screenHeight ?? null },
  };
}

/** Writes down what waits. What cannot be written is let go, like what there is no room for. */
export async function writeVisits(db: Db): Promise<void> {
  const batch = waiting;
  waiting = [];
  ofAddress = new Map();
  if (batch.length === 0) return;
  const budget = { left: MOST_READ };
  const key = keyFor('visitors');
  const visits: StoredVisit[] = [];
  for (const [index, come] of batch.entries()) {
    const visit = described(come, budget, key);
    if (visit) visits.push(visit);
    if (index % AT_A_TIME === AT_A_TIME - 1) await turn();
  }
  try {
    await storeVisits(db, visits);
  } catch (error) {
    dropped += visits.length;
    throw error;
  }
}
