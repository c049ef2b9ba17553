import { useSyncExternalStore } from 'react';

type ClientError = { id: string; tone: 'error'; text: string; of: string; at?: string | undefined };

let errors: ClientError[] = [];
let count = 0;
const listeners = new Set<() => void>();
const NOTHING: ClientError[] = [];

/** Tells of a form that failed, as only the browser knows; `of` is where it was sent. `at` the page, it stands there, too. */
export function reportError(text: string, { href }: URL, at?: string): void {
  count += 1;
  errors = [{ id: `here-${count}`, tone: 'error', text, of: href, at }];
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What was told last. */
export const useClientErrors = () =>
  useSyncExternalStore(
    subscribe,
    () => errors,
    () => NOTHING,
  );
