import { availableParallelism } from 'node:os';
import { cameFrom } from '#app/domain/platform/events.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';

/** One core is left to the pages of those who are signed in. */
const MOST_AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));
const MOST_WAITING = 100;

type Waiting = { go(): void; refuse(reason: Refusal): void };

let running = 0;
let waiting = 0;
/** A line for each network that somebody waits from. The first one has the next turn. */
const lines = new Map<string, Waiting[]>();

const busy = () =>
  new Refusal(503, 'busy', 'Too many people are signing in right now. Please try again in a minute.', {
    retryAfter: 60,
  });

/** Whose network waits the most gives a place up to somebody whose network has fewer. */
function makeRoom(network: string): void {
  if (waiting < MOST_WAITING) return;
  const [longest] = [...lines.values()].sort((one, other) => other.length - one.length);
  if (!longest || longest.length <= (lines.get(network)?.length ?? 0) + 1) throw busy();
  waiting -= 1;
  longest.pop()!.refuse(busy());
}

async function standInLine(network: string): Promise<void> {
  makeRoom(network);
  waiting += 1;
  await new Promise<void>((go, refuse) => {
    const line = lines.get(network);
    if (line) line.push({ go, refuse });
    else lines.set(network, [{ go, refuse }]);
  });
}

/** Of each network one after the other: who sends a hundred from a few of them keeps nobody else waiting for all these. */
function takeNext(): Waiting | undefined {
  const [first] = lines;
  if (!first) return undefined;
  const [network, line] = first;
  waiting -= 1;
  const next = line.shift();
  lines.delete(network);
  if (line.length > 0) lines.set(network, line);
  return next;
}

/** A storm of sign-ins holds at most two times 32 MiB, leaves threads to others, and is turned away in time. */
export async function inHashTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MOST_AT_ONCE) await standInLine(cameFrom() ?? 'nowhere');
  else running += 1;
  try {
    return await work();
  } finally {
    const next = takeNext();
    if (next) next.go();
    else running -= 1;
  }
}
