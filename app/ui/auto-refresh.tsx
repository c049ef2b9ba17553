import { useEffect, useState } from 'react';
import { useLocation, useRevalidator } from 'react-router';
import { type FailureReason, setRefreshListener } from '#app/ui/form/failure/client-middleware.ts';
import { useHasErrors } from '#app/ui/messages/inline-notices.tsx';
import { loadDeferred } from './lazy.tsx';

const EVERY_MS = 2000;
const NO_SCRIPT_SECONDS = 3;
/** Without scripts a refresh removes an error, so the user gets time to read it. */
const WITH_ERROR_SECONDS = 20;

const REASONS: Record<FailureReason, string> = {
  unreached: 'No connection.',
  fault: 'The fault is on our side.',
};

type AutoRefreshProps = {
  /** The URL to load without scripts, if not the current one: browsers do not reload a URL with a #fragment. */
  to?: string | null;
  seconds?: number;
};

/** Keeps the page up to date: with scripts every 2 seconds, without them every 3 seconds or as given. */
export function AutoRefresh({ to, seconds: noScriptSeconds = NO_SCRIPT_SECONDS }: AutoRefreshProps) {
  const { revalidate } = useRevalidator();
  const { pathname, search } = useLocation();
  const [failure, setFailure] = useState<FailureReason>();
  const seconds = useHasErrors() ? WITH_ERROR_SECONDS : noScriptSeconds;
  // biome-ignore lint/correctness/useExhaustiveDependencies: restarts at another URL.
  useEffect(() => {
    loadDeferred();
    setRefreshListener(setFailure);
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
        {failure && <p className="banner banner-info">{REASONS[failure]} We try again by ourselves.</p>}
      </div>
    </>
  );
}
