import { Refusal } from '#app/domain/platform/refusal.ts';

type Limit = { running: number; waiting: number };

/** Changes by one user lock the same rows: in the database they would wait for each other, each with a connection. */
const CHANGES: Limit = { running: 3, waiting: 50 };
/**
 * Reads by one user. The process has ten connections; most pages use up to four at the same time, and API calls up to
 * two. These limits leave connections to other users.
 */
const PAGES: Limit = { running: 2, waiting: Number.POSITIVE_INFINITY };
const CALLS: Limit = { running: 4, waiting: Number.POSITIVE_INFINITY };

export const ANONYMOUS = 'strangers';

type UserQueue = { running: number; waiting: (() => void)[] };
type Queue = { limit: Limit; users: Map<string, UserQueue> };
const queueOf = (limit: Limit): Queue => ({ limit, users: new Map() });
/** Separate, because a change may wait for a lock. */
const [changes, pages, calls] = [queueOf(CHANGES), queueOf(PAGES), queueOf(CALLS)];

/** Resolves when it is this request's turn. Rejects when its signal is aborted before that. */
const waitForTurn = ({ waiting }: UserQueue, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const start = () => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const leave = () => {
      waiting.splice(waiting.indexOf(start), 1);
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    waiting.push(start);
  });

/**
 * Runs a change of a user's data. Waits while the user has too many running, and throws a Refusal with `rate_limited`
 * while too many wait. If `signal` is aborted before `run` starts, it never starts.
 */
export const queueChange = <T>(userId: string, signal: AbortSignal, run: () => Promise<T>): Promise<T> =>
  enqueue(changes, userId, signal, run);

/** Like `queueChange`, for a page. Never refuses. */
export const queuePage = <T>(userId: string, signal: AbortSignal, run: () => Promise<T>): Promise<T> =>
  enqueue(pages, userId, signal, run);

/** Like `queuePage`, for an API call that only reads. */
export const queueCall = <T>(userId: string, signal: AbortSignal, run: () => Promise<T>): Promise<T> =>
  enqueue(calls, userId, signal, run);

async function enqueue<T>(
  { limit, users }: Queue,
  userId: string,
  signal: AbortSignal,
  run: () => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const queue = users.get(userId) ?? { running: 0, waiting: [] };
  users.set(userId, queue);
  if (queue.running < limit.running) queue.running++;
  else if (queue.waiting.length < limit.waiting) await waitForTurn(queue, signal);
  else {
    const message = 'Many things are being changed at once. Please wait a moment and try again.';
    throw new Refusal(429, 'rate_limited', message, { retryAfter: 5 });
  }
  try {
    return await run();
  } finally {
    // The next request takes over this one's slot.
    const next = queue.waiting.shift();
    if (next) next();
    else if (--queue.running === 0) users.delete(userId);
  }
}
