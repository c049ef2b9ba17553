import type { NextTimes } from './present.ts';

const PAUSE_MS = 200;
let latest: AbortController | undefined;

/**
 * Fetches the next publish times for the unsaved settings in the form, once the user has stopped typing for a moment.
 */
export async function previewTimes(container: HTMLElement, show: (next: NextTimes) => void): Promise<void> {
  latest?.abort();
  latest = new AbortController();
  const { signal } = latest;
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  const form = container.querySelector('form');
  if (signal.aborted || !form) return;
  const query = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
  // Without a response the times stay as they are. Saving reports errors.
  const response = await fetch(`/app/automation/times?${query}`, { signal }).catch(() => undefined);
  const next: NextTimes | undefined = await response?.json().catch(() => undefined);
  if (response?.ok && next && !signal.aborted) show(next);
}
