import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { useHasErrors } from './standing-errors.tsx';

const EVERY_MS = 2000;
const BARE_SECONDS = 3;
/** Without scripts an error goes with the page that it stands in, so it is left there to be read. */
const BESIDE_ERROR_SECONDS = 20;

type KeepFreshProps = {
  /** Loaded without scripts in place of the address itself, which is not loaded anew once it has a #fragment. */
  to?: string | null;
};

/** Keeps the page up to date while it stands there: with scripts every 2 seconds, without them every 3. */
export function KeepFresh({ to }: KeepFreshProps) {
  const { revalidate } = useRevalidator();
  const seconds = useHasErrors() ? BESIDE_ERROR_SECONDS : BARE_SECONDS;
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void revalidate();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [revalidate]);
  return (
    <noscript>
      <meta httpEquiv="refresh" content={to ? `${seconds}; url=${to}` : `${seconds}`} />
    </noscript>
  );
}
