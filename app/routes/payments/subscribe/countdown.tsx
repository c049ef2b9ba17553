import { useEffect, useState } from 'react';

const EVERY_MS = 20_000;
const MINUTE_MS = 60_000;

/** What is left of a time that was promised: "5 h 12 min left", or null when it is over. */
export function leftInWords(ms: number): string | null {
  const minutes = Math.ceil(ms / MINUTE_MS);
  if (minutes <= 0) return null;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return `${[hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ')} left`;
}

type CountdownProps = { leftMs: number; of: string; over: string };

/** How much of a promised time is left: in the words of the server, and with scripts as it passes. */
export function Countdown({ leftMs, of, over }: CountdownProps) {
  const [passedMs, setPassed] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer of the server begins anew.
  useEffect(() => {
    // The clock of a browser may be wrong, but it runs.
    const begun = performance.now();
    setPassed(0);
    const timer = setInterval(() => setPassed(performance.now() - begun), EVERY_MS);
    return () => clearInterval(timer);
  }, [leftMs]);
  const left = leftInWords(leftMs - passedMs);
  return left ? `${left} of ${of}` : over;
}
