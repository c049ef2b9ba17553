import { Refusal } from '#app/domain/platform/refusal.ts';

/**
 * Requests of one account that change something: so many run side by side in a process, and so many more wait here.
 * They change the same rows, so in the database they would wait for each other, each with one of its few connections.
 */
const CHANGES = { running: 3, waiting: 50 };
/**
 * What one account reads: this many pages and API calls run side by side, and the others wait. A user who requests
 * hundreds at once gets them as soon as without the limit, and leaves connections to others: the process has ten,
 * most pages use up to four at once, and API calls up to two.
 */
const PAGES = { running: 2, waiting: Number.POSITIVE_INFINITY };
const CALLS = { running: 4, waiting: Number.POSITIVE_INFINITY };

/** Who has no account: all of them together are as one. */
export const ANONYMOUS = 'strangers';

type UserQueue = { running: number; waiting: (() => void)[] };
type Line = { most: typeof CHANGES; accounts: Map<string, UserQueue> };
const lineOf = (most: typeof CHANGES): Line => ({ most, accounts: new Map() });
/** Apart: a change may wait for a lock. */
const [changing, pages, calls] = [lineOf(CHANGES), lineOf(PAGES), lineOf(CALLS)];

/** Waits for a place in the line. Who goes away leaves it. */
const standInLine = ({ waiting }: UserQueue, signal: AbortSignal) =>
  new Promise<void>((go, refuse) => {
    const take = () => {
      signal.removeEventListener('abort', leave);
      go();
    };
    const leave = () => {
      waiting.splice(waiting.indexOf(take), 1);
      refuse(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    waiting.push(take);
  });

/**
 * Runs what an account wants changed when it is its turn; refuses with `rate_limited` when too much waits already.
 * Whose `signal` is aborted before that is not run; what has begun goes on.
 */
export const queueChange = <T>(userId: string, signal: AbortSignal, run: () => Promise<T>): Promise<T> =>
  waitForTurn(changing, userId, signal, run);

/** Like `queueChange`, for a page. It is never refused. */
export const queuePage = <T>(userId: string, signal: AbortSignal, run: () => Promise<T>): Promise<T> =>
  waitForTurn(pages, userId, signal, run);

/** Like `queuePage`, for an API call that reads. */
export const queueCall = <T>(userId: string, signal: AbortSignal, run: () => Promise<T>): Promise<T> =>
  waitForTurn(calls, userId, signal, run);

async function waitForTurn<T>(
  { most, accounts }: Line,
  userId: string,
  signal: AbortSignal,
  run: () => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const turns = accounts.get(userId) ?? { running: 0, waiting: [] };
  accounts.set(userId, turns);
  if (turns.running < most.running) turns.running++;
  else if (turns.waiting.length < most.waiting) await standInLine(turns, signal);
  else {
    const message = 'Many things are being changed at once. Please wait a moment and try again.';
    throw new Refusal(429, 'rate_limited', message, { retryAfter: 5 });
  }
  try {
    return await run();
  } finally {
    const next = turns.waiting.shift();
    // The place goes to whoever waits.
    if (next) next();
    else if (--turns.running === 0) accounts.delete(userId);
  }
}
