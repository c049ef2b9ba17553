import { useEffect } from 'react';
import { useRevalidator } from 'react-router';

const EVERY_MS = 2000;

/** Keeps the page up to date while it stands there: with scripts every 2 seconds, without them every 3. */
export function KeepFresh() {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void revalidate();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [revalidate]);
  return (
    <noscript>
      <meta httpEquiv="refresh" content="3" />
    </noscript>
  );
}
