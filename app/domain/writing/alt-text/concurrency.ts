import { Refusal } from '#app/domain/platform/refusal.ts';
import { type FetchedImage, fetchImage } from '#app/integrations/http/fetch-image.ts';

/** So many pictures of a process are fetched, or wait for the writer, and so many are handed to it, with up to 8 MB each. */
const MOST = { here: 4, handed: 3 };
/** Whose server takes longer gives its place up to somebody who has none. */
const PATIENCE_MS = 2_000;

const full = () =>
  new Refusal(503, 'busy', 'Many pictures are looked at just now. Please try again in a moment', {
    field: 'altText',
  });

type Fetching = { since: number; givenUp: AbortController };

/** In the order in which they began. */
const fetching = new Set<Fetching>();
const inLine: (() => void)[] = [];
let handed = 0;

function takePlace(): Fetching {
  const now = performance.now();
  if (fetching.size + inLine.length >= MOST.here) {
    const [slowest] = fetching;
    if (!slowest || now - slowest.since < PATIENCE_MS) throw full();
    fetching.delete(slowest);
    slowest.givenUp.abort(full());
  }
  const place = { since: now, givenUp: new AbortController() };
  fetching.add(place);
  return place;
}

/** Waits until one more picture can be handed over. Who goes away leaves the line. */
async function waitToHand(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (handed < MOST.handed) {
    handed += 1;
    return;
  }
  await new Promise<void>((go, refuse) => {
    const take = () => {
      signal.removeEventListener('abort', leave);
      go();
    };
    const leave = () => {
      inLine.splice(inLine.indexOf(take), 1);
      refuse(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    inLine.push(take);
  });
}

function endHanding(): void {
  const next = inLine.shift();
  // The place goes to whoever waits.
  if (next) next();
  else handed -= 1;
}

/**
 * Fetches a picture and hands it over, in the places that a process has for that. Those whose server is slow take none
 * from others for long: the one that takes longest is given up, with a Refusal, for somebody who comes.
 */
export async function withPicture<T>(
  imageUrl: string,
  signal: AbortSignal,
  hand: (picture: FetchedImage) => Promise<T>,
): Promise<T> {
  const place = takePlace();
  let picture: FetchedImage;
  try {
    picture = await fetchImage(imageUrl, { signal: AbortSignal.any([signal, place.givenUp.signal]) });
  } finally {
    fetching.delete(place);
  }
  await waitToHand(signal);
  try {
    return await hand(picture);
  } finally {
    endHanding();
  }
}
