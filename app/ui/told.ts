import { useSyncExternalStore } from 'react';

type Told = { id: string; tone: 'error'; text: string; at?: string };

let told: Told[] = [];
let count = 0;
const listeners = new Set<() => void>();
const NOTHING: Told[] = [];

/** Tells of an error that only the browser knows of; `at` the page, it stands there, too. */
export function tell(text: string, at?: string): void {
  count += 1;
  told = [{ id: `here-${count}`, tone: 'error', text, ...(at && { at }) }];
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
