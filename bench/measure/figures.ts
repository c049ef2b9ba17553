import { appendFileSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';

/** The value that `share` of the numbers do not exceed. */
export function percentile(numbers: number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

const format = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
export const number = (value: number) => format.format(value);
export const ms = (value: number) => `${number(value)} ms`;
export const megabytes = (bytes: number) => `${number(bytes / 1e6)} MB`;
export const kilobytes = (bytes: number) => `${number(bytes / 1e3)} KB`;

/** p50, p99 and the largest of a set of milliseconds, in one phrase. */
export const spread = (numbers: number[]) =>
  `p50 ${ms(percentile(numbers, 0.5))}, p99 ${ms(percentile(numbers, 0.99))}, max ${ms(Math.max(...numbers))}`;

/** A line of what was measured: a title, or a figure below it. */
export type Kept = { title: string } | { name: string; value: string; beside: string };

/** For the table of results, where one is kept. */
function keep(line: Kept): void {
  const file = process.env.FIGURES_FILE;
  if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
}

export function title(text: string) {
  keep({ title: text });
  console.log(`\n${text}`);
  console.log(`  (${availableParallelism()} cores of ${cpus()[0]?.model ?? 'an unknown processor'})`);
}

/** One figure on one line, with its goal and what stands beside it. */
export function figure(name: string, value: string, beside = '') {
  keep({ name, value, beside });
  console.log(`  ${name.padEnd(34)} ${value}${beside && `   [${beside}]`}`);
}

const idleMs = () => cpus().reduce((sum, { times }) => sum + times.idle, 0);

/** Answers, when called later, which share of the machine nobody has used meanwhile, from 0 to 1. */
export function watchIdle(): () => number {
  const [from, before] = [performance.now(), idleMs()];
  return () => (idleMs() - before) / ((performance.now() - from) * cpus().length);
}

const busyMs = () =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);

/** Answers, when called later, how many milliseconds of CPU everything on the machine has used meanwhile. */
export function watchBusy(): () => number {
  const before = busyMs();
  return () => busyMs() - before;
}

/** Time that the cores wanted and the host gave to others, in ticks. Linux tells; elsewhere NaN. */
const stolenTicks = () => Number(/^cpu +(?:\d+ ){7}(\d+)/m.exec(readFile('/proc/stat'))?.[1]);

/** Answers, when called later, which share of the machine its host has given to others meanwhile, from 0 to 1. */
export function watchStolen(): () => number {
  const [from, before] = [performance.now(), stolenTicks()];
  return () =>
    (stolenTicks() - before) / TICKS_PER_SECOND / ((performance.now() - from) / 1000) / cpus().length;
}

const TICKS_PER_SECOND = 100;

/**
 * CPU seconds a process has used, user and system, on request with those of its children that have ended.
 * Linux tells; elsewhere NaN.
 */
export function cpuSeconds(pid: number | undefined, { isWithEnded = false } = {}): number {
  const stat = readProc(pid, 'stat');
  // The name of the program stands in brackets and may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, isWithEnded ? 15 : 13).map(Number);
  return ticks.length === 0 ? Number.NaN : ticks.reduce((sum, part) => sum + part) / TICKS_PER_SECOND;
}

/** Resident memory of a process in bytes. Linux tells; elsewhere NaN. */
export function residentBytes(pid: number | undefined): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readProc(pid, 'status'))?.[1]) * 1024;
}

/** The most resident memory that a process ever had, in bytes. Linux tells; elsewhere NaN. */
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
