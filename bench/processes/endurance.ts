import { setTimeout as pause } from 'node:timers/promises';
import { figure, megabytes, number, percentile, residentBytes } from '#bench/measure/figures.ts';
import type { Part } from '#scripts/start/processes.ts';

/** A process of Node that finds it in NODE_OPTIONS opens its inspector at SIGUSR1, at a port that is free. */
export const INSPECTED = '--inspect-port=0';
/** What Node prints about its inspector, which is no line of ours. */
export const OF_INSPECTOR = /\| (Debugger |For help, see: )/;

/** What parts of the time lie before what is looked at first, in it, and before what is looked at last. */
const [WARM, EARLY, LATE] = [0.25, 0.45, 0.8];
const LOOK_MS = 5_000;

type Heap = { usedSize: number; backingStorageSize: number };
/** In bytes: the heap with the buffers beside it, and all that is resident. */
type Held = { heap: number; resident: number };

/**
 * What a process holds once its inspector has had all collected that nobody needs. In between a heap fills, and
 * what is resident tells of the moment in which it was looked at.
 */
async function heldBy(part: Part): Promise<Held> {
  process.kill(part.pid!, 'SIGUSR1');
  const [, address] = await part.line(/Debugger listening on (ws:\S+)/, 10);
  const socket = new WebSocket(address!);
  await new Promise((resolve, reject) => Object.assign(socket, { onopen: resolve, onerror: reject }));
  const ask = (method: string) => {
    socket.send(JSON.stringify({ id: 1, method }));
    return new Promise<Heap>((resolve, reject) => {
      socket.onmessage = ({ data }) => resolve((JSON.parse(data) as { result: Heap }).result);
      socket.onclose = reject;
    });
  };
  await ask('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize } = await ask('Runtime.getHeapUsage');
  const resident = residentBytes(part.pid);
  socket.close();
  return { heap: usedSize + backingStorageSize, resident };
}

/** How much the memory of processes grows in a run of `ms`, from what comes after the warm-up to the end. */
export function watchMemory(parts: Record<string, Part>, ms: number) {
  const begun = Date.now();
  const samples: { at: number; resident: number[] }[] = [];
  const sample = () => {
    const resident = Object.values(parts).map(({ pid }) => residentBytes(pid));
    samples.push({ at: (Date.now() - begun) / ms, resident });
  };
  const watch = setInterval(sample, LOOK_MS);
  const look = () => Promise.all(Object.values(parts).map(heldBy));
  const early = pause(EARLY * ms).then(look);

  const middle = (nth: number, from: number, to: number) => {
    const some = samples.filter(({ at }) => at >= from && at <= to);
    return percentile(
      some.map(({ resident }) => resident[nth]!),
      0.5,
    );
  };
  /** To be called when the time is over, before what comes afterwards. */
  return async function end() {
    clearInterval(watch);
    const [first, last] = [await early, await look()];
    for (const [nth, name] of Object.keys(parts).entries()) {
      figure(`heap of ${name}, collected`, growth(first[nth]!.heap, last[nth]!.heap), GOAL);
      figure('  resident with it', growth(first[nth]!.resident, last[nth]!.resident), GOAL);
      const middles = [middle(nth, WARM, EARLY), middle(nth, LATE, 1)] as const;
      figure('  resident meanwhile, p50', growth(...middles), 'wherever the collector was');
    }
  };
}

const GOAL = 'goal below 10%';

const growth = (early: number, late: number) =>
  `${megabytes(early)} to ${megabytes(late)}: ${number((late / early - 1) * 100)}%`;
