/**
 * How many visits are taken by the minute and by the day: of one address, of the network that it is in, and of all. Counted in
 * the memory of a process, in tables that do not grow with what is sent; of all by the day as the database has them, so over
 * all processes and across restarts.
 */
import { env } from '#app/env.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Addresses, and networks, that a span counts by themselves. */
const MOST_NAMES = 50_000;
/** What comes from further networks counts as of one. A further address has no bound of its own: its network has. */
const OTHERS = 'others';
/** Of a day. Of what comes of further ones nothing is kept. */
const MOST_SESSIONS = 200_000;

type SpanBound = 'address.minute' | 'address.day' | 'network.minute' | 'network.day';
type Span = { bound: SpanBound; by: 'address' | 'network'; ms: number; most: number };
/** `name`: under which the visit counts that is looked at. */
type Table = { span: Span; nth: number; counts: Map<string, number>; name: string | undefined };

export type Bound = SpanBound | 'sessions.day' | 'all.day';

/** An office behind one address, or what a provider has behind few, looks at fewer pages than that. */
const SPANS: Span[] = [
  { bound: 'address.minute', by: 'address', ms: MINUTE_MS, most: 300 },
  { bound: 'address.day', by: 'address', ms: DAY_MS, most: 10_000 },
  { bound: 'network.minute', by: 'network', ms: MINUTE_MS, most: 1_200 },
  { bound: 'network.day', by: 'network', ms: DAY_MS, most: 50_000 },
];

const counted = SPANS.map((span): Table => ({ span, nth: 0, counts: new Map(), name: undefined }));
let sessions = { day: 0, seen: new Set<number>() };
let stored = { day: 0, visits: 0 };

const dayOf = (at: number) => Math.floor(at / DAY_MS);

/** Of an address as limits count it, 192.0.2.7 or 2001:db8:1:2::/64, the /24 or /48. */
const networkOf = (address: string) =>
  address.includes(':')
    ? address.split(':', 3).join(':')
    : address.slice(0, Math.max(0, address.lastIndexOf('.')));

/** Of a text of any length, a number that few others have. */
function numberOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** Under which name a span counts it now; undefined when it does not. */
function nameIn(table: Table, name: string, at: number): string | undefined {
  const nth = Math.floor(at / table.span.ms);
  if (table.nth !== nth) Object.assign(table, { nth, counts: new Map() });
  if (table.counts.size < MOST_NAMES || table.counts.has(name)) return name;
  return table.span.by === 'network' ? OTHERS : undefined;
}

/** Tells how many visits of a day the database has. */
export function noteStored(day: string, visits: number): void {
  stored = { day: dayOf(Date.parse(day)), visits };
}

function boundOfAll(session: number, at: number, waiting: number): Bound | undefined {
  const day = dayOf(at);
  if ((stored.day === day ? stored.visits : 0) + waiting >= env().VISITS_A_DAY) return 'all.day';
  if (sessions.day !== day) sessions = { day, seen: new Set() };
  return sessions.seen.size >= MOST_SESSIONS && !sessions.seen.has(session) ? 'sessions.day' : undefined;
}

/**
 * Counts a visit, unless there are too many: then it answers which bound it is beyond, and counts nothing.
 *
 * @param address Whose it is, as limits count it.
 * @param at When, in milliseconds.
 * @param waiting How many wait that the database does not have yet.
 */
export function countVisit(
  address: string,
  sessionId: string,
  at: number,
  waiting: number,
): Bound | undefined {
  const session = numberOf(sessionId);
  const bound = boundOfAll(session, at, waiting);
  if (bound) return bound;
  const network = networkOf(address);
  for (const table of counted) {
    table.name = nameIn(table, table.span.by === 'network' ? network : address, at);
    if (table.name !== undefined && (table.counts.get(table.name) ?? 0) >= table.span.most)
      return table.span.bound;
  }
  for (const { counts, name } of counted) {
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  sessions.seen.add(session);
  return undefined;
}

/** How many seconds it is until a bound is over. */
export function secondsLeft(bound: Bound, at: number): number {
  const ms = bound.endsWith('minute') ? MINUTE_MS : DAY_MS;
  return Math.ceil((ms - (at % ms)) / 1_000);
}
