import { type ReactNode, useContext, useEffect, useState } from 'react';
import { type ErrorResponse, isRouteErrorResponse, useLocation, useRevalidator } from 'react-router';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { NO_CONNECTION, setPageFailed } from '#app/ui/form/failure/client-middleware.ts';
import { HELP_LINK_PROPS, HelpLinkContent } from '#app/ui/layout/help-link.tsx';
import { LogoLink } from '#app/ui/layout/logo.tsx';
import { onDemand } from '#app/ui/lazy.tsx';
import { useHydrated } from '#app/ui/use-hydrated.ts';
import { FailedFrame } from './failed-frame.tsx';
import { FailedResponse } from './without-scripts.ts';

const EVERY_MS = 2000;

/** Only shown once a server has answered, which then has it, too. */
export const DeadEnd = onDemand(async () => (await import('./dead-end.tsx')).DeadEnd);

/** Nothing that is asked for once more. */
const isDeadEnd = (error: unknown): error is ErrorResponse =>
  isRouteErrorResponse(error) && (error.status === 403 || error.status === 404);

type Words = { title: string; text: string; isOurs?: boolean };

const REFUSED: Record<number, Words> = {
  401: { title: 'Sign in again', text: 'You were signed out.' },
  429: { title: 'Too many requests', text: 'Wait a minute, then try again.' },
};

const OURS = 'Something went wrong on our side';
/** True however things stand: what is paused or held stays so, and the rest is sent by another program. */
const SAFE = 'Your posts are safe, and publishing does not wait for this page. ';

/** What is known of the error; `asked` says what could not be shown. */
function wordsOf(error: unknown, isApp: boolean, asked?: string): Words {
  const safe = isApp ? SAFE : '';
  if (error === NO_CONNECTION) {
    const text = `There is no connection to Tidepost. ${safe}The page comes by itself when we answer.`;
    return { title: asked ?? 'No connection', text };
  }
  if (isRouteErrorResponse(error) && error.status < 500) {
    const known = REFUSED[error.status] ?? { title: 'This did not work', text: 'Go back and try again.' };
    return typeof error.data === 'string' && error.data ? { ...known, text: error.data } : known;
  }
  const text = `${asked ? `${OURS}. ` : ''}${safe}Please try again in a minute.`;
  return { title: asked ?? OURS, text, isOurs: true };
}

/** Asks for the page again: by itself once somebody answers, when nobody did. */
function useAnotherTry(isUnreached: boolean) {
  const { state, revalidate } = useRevalidator();
  useEffect(() => {
    setPageFailed(true);
    if (!isUnreached) return () => setPageFailed(false);
    // While somebody is asked, or the page is on its way: another reload would begin it anew.
    let isComing = false;
    const look = async () => {
      if (isComing) return;
      isComing = true;
      isComing = await fetch('/health').then(
        ({ ok }) => ok,
        () => false,
      );
      if (isComing) location.reload();
    };
    const timer = setInterval(look, EVERY_MS);
    return () => {
      setPageFailed(false);
      clearInterval(timer);
    };
  }, [isUnreached]);
  return { isTrying: state !== 'idle', revalidate };
}

type WaysProps = { isApp: boolean; isUnreached: boolean };

function Ways({ isApp, isUnreached }: WaysProps) {
  const here = useLocation();
  const { isTrying, revalidate } = useAnotherTry(isUnreached);
  return (
    <div className="mt-6 flex flex-wrap gap-3">
      <ButtonLink
        to={here}
        reloadDocument
        aria-busy={isTrying || undefined}
        onClick={(event) => {
          if (isUnreached) return;
          event.preventDefault();
          void revalidate();
        }}
      >
        Retry
      </ButtonLink>
      <ButtonLink to={isApp ? '/app/dashboard' : '/'} variant="secondary">
        {isApp ? 'Go to the dashboard' : 'Go to the start page'}
      </ButtonLink>
    </div>
  );
}

type FailedPageProps = {
  error: unknown;
  asked?: string | undefined;
  requestId?: string | undefined;
};

/** Stands in place of a page that could not be shown: what is the matter, what is safe, and what to do. */
export function FailedPage({ error, asked, requestId }: FailedPageProps) {
  // A page that was loaded as a whole may be the answer to a form, and names its request.
  const wasLoaded = useState(!useHydrated())[0];
  const isApp = useLocation().pathname.startsWith('/app');
  const { title, text, isOurs } = wordsOf(error, isApp, wasLoaded ? undefined : asked);
  const typed = useContext(FailedResponse)?.typed;
  if (isDeadEnd(error)) return <DeadEnd error={error} isApp={isApp} />;
  return (
    <FailedFrame title={title} text={text}>
      {typed ?? <Ways isApp={isApp} isUnreached={error === NO_CONNECTION} />}
      {isOurs && wasLoaded && requestId && (
        <p className="mt-8 text-xs text-ink-3">
          If you write to us about this, name the request <code className="block font-mono">{requestId}</code>
        </p>
      )}
    </FailedFrame>
  );
}

/**
 * A page without the frame of the app, for who is not known or when nothing of it can be had. Its links lead to whole
 * documents: whatever failed here may not know the way to another page.
 */
export const BarePage = ({ children }: { children: ReactNode }) => (
  <>
    <div className="mx-auto flex min-h-dvh max-w-xl flex-col px-4 py-6">
      <nav aria-label="Main" className="flex flex-wrap items-center gap-4">
        <LogoLink />
        <a href="/login" className="link inline-flex min-h-11 items-center">
          Log in
        </a>
      </nav>
      <main id="main" className="flex flex-1 flex-col justify-center">
        {children}
      </main>
    </div>
    <aside aria-label="Help">
      <a href="/help" {...HELP_LINK_PROPS}>
        <HelpLinkContent />
      </a>
    </aside>
  </>
);
