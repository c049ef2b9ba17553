import { appendFileSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';

/** `share`: 0.99 for the 99th percentile. */
export function percentile(numbers: number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

const format = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
export const number = (value: number) => format.format(value);
export const ms = (value: number) => `${number(value)} ms`;
export const megabytes = (bytes: number) => `${number(bytes / 1e6)} MB`;
export const kilobytes = (bytes: number) => `${number(bytes / 1e3)} KB`;

/** Formats p50, p99 and maximum of milliseconds. */
export const spread = (numbers: number[]) =>
  `p50 ${ms(percentile(numbers, 0.5))}, p99 ${ms(percentile(numbers, 0.99))}, max ${ms(Math.max(...numbers))}`;

/** A title, or a figure below it. */
export type FigureLine = { title: string } | { name: string; value: string; beside: string };

/** Saves the line for RESULTS.md when bench/all.ts runs with --keep. */
function saveLine(line: FigureLine): void {
  const file = process.env.FIGURES_FILE;
  if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
}

export function title(text: string) {
  saveLine({ title: text });
  console.log(`\n${text}`);
  console.log(`  (${availableParallelism()} cores of ${cpus()[0]?.model ?? 'an unknown processor'})`);
}

/** Prints one figure; `beside` is its goal or a comparison. */
export function figure(name: string, value: string, beside = '') {
  saveLine({ name, value, beside });
  console.log(`  ${name.padEnd(34)} ${value}${beside && `   [${beside}]`}`);
}

const idleMs = () => cpus().reduce((sum, { times }) => sum + times.idle, 0);

/** Returns a function that returns the idle share of the machine since the start, from 0 to 1. */
export function watchIdle(): () => number {
  const [start, before] = [performance.now(), idleMs()];
  return () => (idleMs() - before) / ((performance.now() - start) * cpus().length);
}

const busyMs = () =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);

/** Returns a function that returns the milliseconds of CPU used by all processes since the start. */
export function watchBusy(): () => number {
  const before = busyMs();
  return () => busyMs() - before;
}

/** Steal time in ticks, from Linux; NaN on other systems. */
const stolenTicks = () => Number(/^cpu +(?:\d+ ){7}(\d+)/m.exec(readFile('/proc/stat'))?.[1]);

/** Returns a function that returns the share of steal time since the start, from 0 to 1. */
export function watchStolen(): () => number {
  const [start, before] = [performance.now(), stolenTicks()];
  return () =>
    (stolenTicks() - before) / TICKS_PER_SECOND / ((performance.now() - start) / 1000) / cpus().length;
}

const TICKS_PER_SECOND = 100;

/** User and system CPU seconds of a process, optionally with those of its ended children. Linux only; NaN elsewhere. */
export function cpuSeconds(pid: number | undefined, { withEndedChildren = false } = {}): number {
  const stat = readProc(pid, 'stat');
  // The name of the program is in brackets and may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, withEndedChildren ? 15 : 13).map(Number);
  return ticks.length === 0 ? Number.NaN : ticks.reduce((sum, part) => sum + part) / TICKS_PER_SECOND;
}

/** Linux only; NaN elsewhere. */
export function residentBytes(pid: number | undefined): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readProc(pid, 'status'))?.[1]) * 1024;
}

/** The peak of the resident memory. Linux only; NaN elsewhere. */
export function mostResidentBytes(pid: number | undefined): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readProc(pid, 'status'))?.[1]) * 1024;
}

const readProc = (pid: number | undefined, file: string) => readFile(`/proc/${pid}/${file}`);

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
