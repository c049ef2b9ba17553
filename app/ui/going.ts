import { useContext, useSyncExternalStore } from 'react';
import { UNSAFE_DataRouterContext as DataRouterContext, useLocation } from 'react-router';

/** Where the router is going, until the page is there: told at once, also while this page waits for a script of its own. */
export function useGoing() {
  const { key } = useLocation();
  const { router } = useContext(DataRouterContext)!;
  const read = () => router.state.navigation.location ?? router.state.location;
  const next = useSyncExternalStore(router.subscribe, read, read);
  return next.key === key ? undefined : next;
}
