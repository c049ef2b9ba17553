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

export const DeadEnd = onDemand(async () => (await import('./dead-end.tsx')).DeadEnd);

const isDeadEnd = (error: unknown): error is ErrorResponse =>
  isRouteErrorResponse(error) && (error.status === 403 || error.status === 404);

type Message = { title: string; text: string; isServerError?: boolean };

const CLIENT_ERRORS: Record<number, Message> = {
  401: { title: 'Sign in again', text: 'You were signed out.' },
  429: { title: 'Too many requests', text: 'Wait a minute, then try again.' },
};

const SERVER_ERROR = 'Something went wrong on our side';
/** The worker publishes posts, so this is true whatever failed here. */
const SAFE = 'Your posts are safe, and publishing does not wait for this page. ';

function messageOf(error: unknown, isApp: boolean, failure?: string): Message {
  const safe = isApp ? SAFE : '';
  if (error === NO_CONNECTION) {
    const text = `There is no connection to Tidepost. ${safe}The page comes by itself when we answer.`;
    return { title: failure ?? 'No connection', text };
  }
  if (isRouteErrorResponse(error) && error.status < 500) {
    const message = CLIENT_ERRORS[error.status] ?? {
      title: 'This did not work',
      text: 'Go back and try again.',
    };
    return typeof error.data === 'string' && error.data ? { ...message, text: error.data } : message;
  }
  const text = `${failure ? `${SERVER_ERROR}. ` : ''}${safe}Please try again in a minute.`;
  return { title: failure ?? SERVER_ERROR, text, isServerError: true };
}

/** Without a connection, reloads the page as soon as the server responds. */
function useRetry(isUnreached: boolean) {
  const { state, revalidate } = useRevalidator();
  useEffect(() => {
    setPageFailed(true);
    if (!isUnreached) return () => setPageFailed(false);
    // True during a check and during the reload, which another one would restart.
    let isBusy = false;
    const check = async () => {
      if (isBusy) return;
      isBusy = true;
      isBusy = await fetch('/health').then(
        ({ ok }) => ok,
        () => false,
      );
      if (isBusy) location.reload();
    };
    const timer = setInterval(check, EVERY_MS);
    return () => {
      setPageFailed(false);
      clearInterval(timer);
    };
  }, [isUnreached]);
  return { isRetrying: state !== 'idle', revalidate };
}

type ActionsProps = { isApp: boolean; isUnreached: boolean };

function Actions({ isApp, isUnreached }: ActionsProps) {
  const location = useLocation();
  const { isRetrying, revalidate } = useRetry(isUnreached);
  return (
    <div className="mt-6 flex flex-wrap gap-3">
      <ButtonLink
        to={location}
        reloadDocument
        aria-busy={isRetrying || undefined}
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
  /** Which page could not be loaded, such as "Failed to load topics". */
  failure?: string | undefined;
  requestId?: string | undefined;
};

export function FailedPage({ error, failure, requestId }: FailedPageProps) {
  // A full page load may be the response to a form. Only then does the request id belong to the error.
  const [isFullLoad] = useState(!useHydrated());
  const isApp = useLocation().pathname.startsWith('/app');
  const { title, text, isServerError } = messageOf(error, isApp, isFullLoad ? undefined : failure);
  const typed = useContext(FailedResponse)?.typed;
  if (isDeadEnd(error)) return <DeadEnd error={error} isApp={isApp} />;
  return (
    <FailedFrame title={title} text={text}>
      {typed ?? <Actions isApp={isApp} isUnreached={error === NO_CONNECTION} />}
      {isServerError && isFullLoad && requestId && (
        <p className="mt-8 text-xs text-ink-3">
          If you write to us about this, name the request <code className="block font-mono">{requestId}</code>
        </p>
      )}
    </FailedFrame>
  );
}

/** The frame of an error outside the app's layout. Its links load full pages, as client-side routing may have failed. */
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
