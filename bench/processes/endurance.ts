import { setTimeout as pause } from 'node:timers/promises';
import { figure, megabytes, number, percentile, residentBytes } from '#bench/measure/figures.ts';
import type { Part } from '#scripts/start/processes.ts';

/** For NODE_OPTIONS: at SIGUSR1 the process opens its inspector on a free port. */
export const INSPECTOR_OPTION = '--inspect-port=0';
/** Lines that Node prints about its inspector. */
export const INSPECTOR_OUTPUT = /\| (Debugger |For help, see: )/;

/** Shares of the run: the end of the warm-up, the first measurement, and the start of the last samples. */
const [WARM, EARLY, LATE] = [0.25, 0.45, 0.8];
const SAMPLE_MS = 5_000;

type Heap = { usedSize: number; backingStorageSize: number };
/** In bytes; `heap` includes the buffers outside of it. */
type MemoryUse = { heap: number; resident: number };

/** Measures after a garbage collection, because at other times the heap contains any amount of garbage. */
async function measureMemory(part: Part): Promise<MemoryUse> {
  process.kill(part.pid!, 'SIGUSR1');
  const [, address] = await part.line(/Debugger listening on (ws:\S+)/, 10);
  const socket = new WebSocket(address!);
  await new Promise((resolve, reject) => Object.assign(socket, { onopen: resolve, onerror: reject }));
  const send = (method: string) => {
    socket.send(JSON.stringify({ id: 1, method }));
    return new Promise<Heap>((resolve, reject) => {
      socket.onmessage = ({ data }) => resolve((JSON.parse(data) as { result: Heap }).result);
      socket.onclose = reject;
    });
  };
  await send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize } = await send('Runtime.getHeapUsage');
  const resident = residentBytes(part.pid);
  socket.close();
  return { heap: usedSize + backingStorageSize, resident };
}

/** Compares the memory of processes after the warm-up and at the end of a run of `ms`. */
export function watchMemory(parts: Record<string, Part>, ms: number) {
  const startedAt = Date.now();
  const samples: { share: number; resident: number[] }[] = [];
  const sample = () => {
    const resident = Object.values(parts).map(({ pid }) => residentBytes(pid));
    samples.push({ share: (Date.now() - startedAt) / ms, resident });
  };
  const watch = setInterval(sample, SAMPLE_MS);
  const measureAll = () => Promise.all(Object.values(parts).map(measureMemory));
  const early = pause(EARLY * ms).then(measureAll);

  const medianResident = (nth: number, from: number, to: number) => {
    const some = samples.filter(({ share }) => share >= from && share <= to);
    return percentile(
      some.map(({ resident }) => resident[nth]!),
      0.5,
    );
  };
  /** Call it directly at the end of the run. */
  return async function end() {
    clearInterval(watch);
    const [first, last] = [await early, await measureAll()];
    for (const [nth, name] of Object.keys(parts).entries()) {
      figure(`heap of ${name}, collected`, growth(first[nth]!.heap, last[nth]!.heap), GOAL);
      figure('  resident with it', growth(first[nth]!.resident, last[nth]!.resident), GOAL);
      const medians = [medianResident(nth, WARM, EARLY), medianResident(nth, LATE, 1)] as const;
      figure('  resident meanwhile, p50', growth(...medians), 'wherever the collector was');
    }
  };
}

const GOAL = 'goal below 10%';

const growth = (early: number, late: number) =>
  `${megabytes(early)} to ${megabytes(late)}: ${number((late / early - 1) * 100)}%`;
