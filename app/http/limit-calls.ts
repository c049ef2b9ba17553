import { RateLimiterMemory } from 'rate-limiter-flexible';
import { clientAddress } from './client-ip.ts';
import { consume } from './rate-limit.ts';

const MINUTE = 60;
const rate = (keyPrefix: string, points: number) =>
  new RateLimiterMemory({ keyPrefix, points, duration: MINUTE });

/** Calls of one token, and of one address whatever its tokens. Who calls without one has the address alone. */
const OF_TOKEN = { read: rate('calls.read', 1_200), write: rate('calls.write', 300) };
const OF_ADDRESS = {
  read: rate('calls.address.read', 3_000),
  write: rate('calls.address.write', 600),
  /** Pages send these for everybody behind an address, so they are counted apart from its programs. */
  visit: rate('calls.address.visit', 3_000),
};

type Kind = keyof typeof OF_TOKEN;
export type AddressKind = keyof typeof OF_ADDRESS;

/** Counts a call of an address, before anything else is asked of it, or refuses it. Kept in memory: it bounds what a process does. */
export const limitAddress = (request: Request, kind: AddressKind): Promise<void> =>
  consume(OF_ADDRESS[kind], clientAddress(request));

/** Counts a call of a token, or refuses it. */
export const limitToken = (sessionId: string, kind: Kind): Promise<void> =>
  consume(OF_TOKEN[kind], sessionId);
