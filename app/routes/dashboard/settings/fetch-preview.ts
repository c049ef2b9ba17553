import type { NextTimes } from './present.ts';

const PAUSE_MS = 200;
let latest: AbortController | undefined;

/** Asks the server for the next publish times by what the form in `around` holds, once nobody has typed for a moment. */
export async function previewTimes(around: HTMLElement, show: (next: NextTimes) => void): Promise<void> {
  latest?.abort();
  latest = new AbortController();
  const { signal } = latest;
  await new Promise((go) => setTimeout(go, PAUSE_MS));
  const form = around.querySelector('form');
  if (signal.aborted || !form) return;
  const query = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
  // Without an answer the times stay as they were: saving says what is wrong.
  const answer = await fetch(`/app/automation/times?${query}`, { signal }).catch(() => undefined);
  const next: NextTimes | undefined = await answer?.json().catch(() => undefined);
  if (answer?.ok && next && !signal.aborted) show(next);
}
