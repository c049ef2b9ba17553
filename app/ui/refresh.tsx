import { useEffect } from 'react';
import { useRevalidator } from 'react-router';

const EVERY_MS = 2000;

type KeepFreshProps = {
  /** Loaded without scripts in place of the address itself, which is not loaded anew once it has a #fragment. */
  to?: string | null;
};

/** Keeps the page up to date while it stands there: with scripts every 2 seconds, without them every 3. */
export function KeepFresh({ to }: KeepFreshProps) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void revalidate();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [revalidate]);
  return (
    <noscript>
      <meta httpEquiv="refresh" content={to ? `3; url=${to}` : '3'} />
    </noscript>
  );
}
