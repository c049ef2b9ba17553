import { SIMILAR } from './paths.ts';
import type { SimilarEntry } from './present.ts';

const PAUSE_MS = 250;
let latest: AbortController | undefined;

/** Asks what is like a title, once nobody has typed for a moment. Without an answer what is shown stays. */
export async function askSimilar(title: string, show: (found: SimilarEntry[]) => void): Promise<void> {
  latest?.abort();
  latest = new AbortController();
  const { signal } = latest;
  await new Promise((go) => setTimeout(go, PAUSE_MS));
  if (signal.aborted) return;
  const answer = await fetch(`${SIMILAR}?${new URLSearchParams({ title })}`, { signal }).catch(
    () => undefined,
  );
  const found: SimilarEntry[] | undefined = await answer?.json().catch(() => undefined);
  if (answer?.ok && found && !signal.aborted) show(found);
}
