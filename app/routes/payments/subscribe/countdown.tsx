import { useEffect, useState } from 'react';

const UPDATE_MS = 20_000;
const MINUTE_MS = 60_000;

/** Formats remaining time, as in "5 h 12 min left"; null when it is over. */
export function formatRemaining(ms: number): string | null {
  const minutes = Math.ceil(ms / MINUTE_MS);
  if (minutes <= 0) return null;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return `${[hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ')} left`;
}

/** Counts down from the server's value. Updated by scripts. */
export function Countdown({ leftMs, total, overText }: { leftMs: number; total: string; overText: string }) {
  const [passedMs, setPassed] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each response of the server restarts it.
  useEffect(() => {
    // The clock of a browser may be wrong, but it advances.
    const startedAt = performance.now();
    setPassed(0);
    const timer = setInterval(() => setPassed(performance.now() - startedAt), UPDATE_MS);
    return () => clearInterval(timer);
  }, [leftMs]);
  const remaining = formatRemaining(leftMs - passedMs);
  return remaining ? `${remaining} of ${total}` : overText;
}
