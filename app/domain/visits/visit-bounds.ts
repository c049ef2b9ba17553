/*
 * Limits the visits of an address, of its network and of all clients. They are counted in the memory of a process, in
 * tables of bounded size. The limit of a day for all clients uses the count of the database, so it holds for all processes.
 */
import { env } from '#app/env.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Addresses, and networks, that a table counts separately. */
const NAMES_MAX = 50_000;
/** Further networks are counted together. Further addresses are counted with their network only. */
const OTHERS = 'others';
/** Sessions of a day. Visits of further ones are dropped. */
const SESSIONS_MAX = 200_000;

type SpanBound = 'address.minute' | 'address.day' | 'network.minute' | 'network.day';
type Span = { bound: SpanBound; by: 'address' | 'network'; ms: number; max: number };
/** `name`: the key under which the current visit counts. */
type Table = { span: Span; nth: number; counts: Map<string, number>; name: string | undefined };

export type Bound = SpanBound | 'sessions.day' | 'all.day';

/** Above what an office or a provider with a shared address needs. */
const SPANS: Span[] = [
  { bound: 'address.minute', by: 'address', ms: MINUTE_MS, max: 300 },
  { bound: 'address.day', by: 'address', ms: DAY_MS, max: 10_000 },
  { bound: 'network.minute', by: 'network', ms: MINUTE_MS, max: 1_200 },
  { bound: 'network.day', by: 'network', ms: DAY_MS, max: 50_000 },
];

const tables = SPANS.map((span): Table => ({ span, nth: 0, counts: new Map(), name: undefined }));
let sessions = { day: 0, seen: new Set<number>() };
let stored = { day: 0, visits: 0 };

const dayOf = (at: number) => Math.floor(at / DAY_MS);

/** Returns the /24 or /48 network of 192.0.2.7 or 2001:db8:1:2::/64. */
const networkOf = (address: string) =>
  address.includes(':')
    ? address.split(':', 3).join(':')
    : address.slice(0, Math.max(0, address.lastIndexOf('.')));

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** Returns the key under which a table counts a name now; undefined when it does not count it. */
function nameIn(table: Table, name: string, at: number): string | undefined {
  const nth = Math.floor(at / table.span.ms);
  if (table.nth !== nth) Object.assign(table, { nth, counts: new Map() });
  if (table.counts.size < NAMES_MAX || table.counts.has(name)) return name;
  return table.span.by === 'network' ? OTHERS : undefined;
}

export function noteStored(day: string, visits: number): void {
  stored = { day: dayOf(Date.parse(day)), visits };
}

function globalBound(session: number, at: number, waiting: number): Bound | undefined {
  const day = dayOf(at);
  if ((stored.day === day ? stored.visits : 0) + waiting >= env().VISITS_A_DAY) return 'all.day';
  if (sessions.day !== day) sessions = { day, seen: new Set() };
  return sessions.seen.size >= SESSIONS_MAX && !sessions.seen.has(session) ? 'sessions.day' : undefined;
}

/**
 * Counts a visit. When a limit is reached, counts nothing and returns the limit.
 *
 * @param address The address, or network, of the client for rate limits.
 * @param at In milliseconds.
 * @param waiting The number of visits that are not yet in the database.
 */
export function countVisit(
  address: string,
  sessionId: string,
  at: number,
  waiting: number,
): Bound | undefined {
  const session = hashOf(sessionId);
  const bound = globalBound(session, at, waiting);
  if (bound) return bound;
  const network = networkOf(address);
  for (const table of tables) {
    table.name = nameIn(table, table.span.by === 'network' ? network : address, at);
    if (table.name !== undefined && (table.counts.get(table.name) ?? 0) >= table.span.max)
      return table.span.bound;
  }
  for (const { counts, name } of tables) {
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  sessions.seen.add(session);
  return undefined;
}

export function secondsLeft(bound: Bound, at: number): number {
  const ms = bound.endsWith('minute') ? MINUTE_MS : DAY_MS;
  return Math.ceil((ms - (at % ms)) / 1_000);
}
