/**
 * One Ctrl-C comes up to three times: the terminal gives it to every process, and npm and bootstrap.mjs hand on
 * what they got themselves. What follows within a second is the same one.
 */
const SAME_MS = 1_000;

/** Calls `first` when the process is asked to end, and `again` each time somebody asks once more. */
export function onInterrupt(first: () => void, again: () => void): void {
  let last: number | undefined;
  const hear = () => {
    const now = performance.now();
    const isSame = last !== undefined && now - last < SAME_MS;
    const isFirst = last === undefined;
    if (!isSame) last = now;
    if (isFirst) first();
    else if (!isSame) again();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, hear);
}
