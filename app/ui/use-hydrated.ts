import { useSyncExternalStore } from 'react';

const subscribe = () => () => {};

/** True once scripts run: false on the server and in the first render of the browser. */
export const useHydrated = () =>
  useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
