import { type Load, load, otherStatuses } from '#bench/load/load.ts';
import { freePort } from '#scripts/start/ports.ts';
import { type Part, startPart } from '#scripts/start/processes.ts';
import { cpuSeconds } from './figures.ts';

/** Starts a baseline server of bench/beside on a free port; it is stopped after the measurement. */
export async function startBaseline(
  stops: (() => Promise<void>)[],
  file: string,
  ...args: (string | number)[]
): Promise<{ url: string; part: Part }> {
  const port = await freePort();
  const part = startPart({
    name: file,
    args: [`bench/beside/${file}.ts`, `${port}`, ...args.map(String)],
    env: process.env,
    print: (line) => / ready$/.test(line) || console.error(`${file} | ${line}`),
  });
  stops.push(() => part.stop(1));
  await part.line(/ ready$/, 10);
  return { url: `http://127.0.0.1:${port}/`, part };
}

/** Runs a load and also returns `cpuMs`, the milliseconds of CPU of the server process for each request. */
export async function measureLoad(spec: Load, pid: number | undefined) {
  const before = cpuSeconds(pid);
  const loaded = await load(spec);
  const cpu = cpuSeconds(pid) - before;
  // The CPU time includes the warm-up, which has nearly the same rate.
  const share = cpu / (spec.seconds + spec.warmUpSeconds);
  const perSecond = spec.perSecond ?? loaded.latencies.length / loaded.seconds;
  return { ...loaded, perSecond, cpuMs: (share * 1000) / perSecond, others: otherStatuses(loaded) };
}
