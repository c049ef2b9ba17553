import { type Load, load, otherAnswers } from '#bench/load/load.ts';
import { freePort } from '#scripts/start/ports.ts';
import { type Part, startPart } from '#scripts/start/processes.ts';
import { cpuSeconds } from './figures.ts';

/** A server to measure beside ours, on a free port; it ends with the measurement. */
export async function startBeside(
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

/** Loads an address, and what it cost the process that answered: milliseconds of CPU for each request. */
export async function loadAtCost(spec: Load, pid: number | undefined) {
  const before = cpuSeconds(pid);
  const loaded = await load(spec);
  const cpu = cpuSeconds(pid) - before;
  // The CPU counts from the start of the warm-up, in which the rate is nearly the same.
  const share = cpu / (spec.seconds + spec.warmUpSeconds);
  const perSecond = spec.perSecond ?? loaded.latencies.length / loaded.seconds;
  return { ...loaded, perSecond, cpuMs: (share * 1000) / perSecond, others: otherAnswers(loaded) };
}
