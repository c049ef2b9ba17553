/**
 * One Ctrl-C arrives up to three times: the terminal sends it to every process, and npm and bootstrap.mjs forward theirs.
 * Signals within a second count as one.
 */
const SAME_MS = 1_000;

/** Calls `onFirst` for the first interrupt of this process, and `onRepeat` for each one after it. */
export function onInterrupt(onFirst: () => void, onRepeat: () => void): void {
  let last: number | undefined;
  const onSignal = () => {
    const now = performance.now();
    const isSame = last !== undefined && now - last < SAME_MS;
    const isFirst = last === undefined;
    if (!isSame) last = now;
    if (isFirst) onFirst();
    else if (!isSame) onRepeat();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}
