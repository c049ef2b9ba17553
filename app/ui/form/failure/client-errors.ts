import { useSyncExternalStore } from 'react';

type Told = { id: string; tone: 'error'; text: string; of: string; at?: string | undefined };

let told: Told[] = [];
let count = 0;
const listeners = new Set<() => void>();
const NOTHING: Told[] = [];

/** Tells of a form that failed, as only the browser knows; `of` is where it was sent. `at` the page, it stands there, too. */
export function tell(text: string, { href }: URL, at?: string): void {
  count += 1;
  told = [{ id: `here-${count}`, tone: 'error', text, of: href, at }];
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What was told last. */
export const useTold = () =>
  useSyncExternalStore(
    subscribe,
    () => told,
    () => NOTHING,
  );
