import { useSyncExternalStore } from 'react';

type ClientError = {
  id: string;
  tone: 'error';
  text: string;
  formAction: string;
  at?: string | undefined;
};

let errors: ClientError[] = [];
let count = 0;
const listeners = new Set<() => void>();
const NO_ERRORS: ClientError[] = [];

/** Shows an error that only the browser knows, of a form sent to `url`. `at`: where it is also shown inline. */
export function reportError(text: string, url: URL, at?: string): void {
  count += 1;
  errors = [{ id: `here-${count}`, tone: 'error', text, formAction: url.href, at }];
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useClientErrors = () =>
  useSyncExternalStore(
    subscribe,
    () => errors,
    () => NO_ERRORS,
  );
