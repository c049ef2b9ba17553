import { useEffect, useState } from 'react';
import { useLocation, useRevalidator } from 'react-router';
import { type FailureReason, setRefreshListener } from '#app/ui/form/failure/client-middleware.ts';
import { useHasErrors } from '#app/ui/messages/inline-notices.tsx';
import { loadDeferred } from './lazy.tsx';

const EVERY_MS = 2000;
const BARE_SECONDS = 3;
/** Without scripts an error goes with the page that it stands in, so it is left there to be read. */
const BESIDE_ERROR_SECONDS = 20;

const WHY: Record<FailureReason, string> = {
  unreached: 'No connection.',
  fault: 'The fault is on our side.',
};

type KeepFreshProps = {
  /** Loaded without scripts in place of the address itself, which is not loaded anew once it has a #fragment. */
  to?: string | null;
  /** How often it is loaded anew without scripts. */
  seconds?: number;
};

/** Keeps the page up to date while it stands there: with scripts every 2 seconds, without them every 3, or as told. */
export function AutoRefresh({ to, seconds: bare = BARE_SECONDS }: KeepFreshProps) {
  const { revalidate } = useRevalidator();
  const { pathname, search } = useLocation();
  const [lack, tell] = useState<FailureReason>();
  const seconds = useHasErrors() ? BESIDE_ERROR_SECONDS : bare;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place begins anew.
  useEffect(() => {
    loadDeferred();
    setRefreshListener(tell);
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void revalidate();
    }, EVERY_MS);
    return () => {
      clearInterval(timer);
      setRefreshListener(undefined);
    };
  }, [revalidate, pathname, search]);
  return (
    <>
      <noscript>
        <meta httpEquiv="refresh" content={to ? `${seconds}; url=${to}` : `${seconds}`} />
      </noscript>
      <div role="status" className="toasts is-low">
        {lack && <p className="banner banner-info">{WHY[lack]} We try again by ourselves.</p>}
      </div>
    </>
  );
}
