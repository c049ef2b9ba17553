import { Refusal } from '#app/domain/platform/refusal.ts';
import { type FetchedImage, fetchImage } from '#app/integrations/http/fetch-image.ts';

/**
 * Limits of a process. An image has up to 8 MB.
 *
 * - `images`: images that are being fetched or wait for the writer
 * - `calls`: images that the writer is describing
 */
const LIMITS = { images: 4, calls: 3 };
/** A fetch that takes longer is aborted when another user needs its slot. */
const SLOW_AFTER_MS = 2_000;

const busy = () =>
  new Refusal(503, 'busy', 'Many pictures are looked at just now. Please try again in a moment', {
    field: 'altText',
  });

type Fetch = { startedAt: number; controller: AbortController };

/** In the order in which they started. */
const fetches = new Set<Fetch>();
const waiting: (() => void)[] = [];
let calls = 0;

function startFetch(): Fetch {
  const now = performance.now();
  if (fetches.size + waiting.length >= LIMITS.images) {
    const [slowest] = fetches;
    if (!slowest || now - slowest.startedAt < SLOW_AFTER_MS) throw busy();
    fetches.delete(slowest);
    slowest.controller.abort(busy());
  }
  const fetch = { startedAt: now, controller: new AbortController() };
  fetches.add(fetch);
  return fetch;
}

/** Waits until another call may start. Rejects when `signal` is aborted. */
async function startCall(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (calls < LIMITS.calls) {
    calls += 1;
    return;
  }
  await new Promise<void>((resolve, reject) => {
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
}

function endCall(): void {
  const next = waiting.shift();
  if (next) next();
  else calls -= 1;
}

/**
 * Fetches an image and calls `describe` with it, within the limits of the process. When they are reached, the slowest
 * fetch is aborted with a Refusal, so that slow servers do not block other users.
 */
export async function withImageSlot<T>(
  imageUrl: string,
  signal: AbortSignal,
  describe: (image: FetchedImage) => Promise<T>,
): Promise<T> {
  const fetch = startFetch();
  let image: FetchedImage;
  try {
    image = await fetchImage(imageUrl, { signal: AbortSignal.any([signal, fetch.controller.signal]) });
  } finally {
    fetches.delete(fetch);
  }
  await startCall(signal);
  try {
    return await describe(image);
  } finally {
    endCall();
  }
}
