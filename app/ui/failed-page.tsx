import { CircleAlert } from 'lucide-react';
import { type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { isRouteErrorResponse, useLocation, useRevalidator } from 'react-router';
import { ButtonLink } from './button.tsx';
import { useHydrated } from './hydrated.ts';
import { LogoLink } from './logo.tsx';
import { NO_CONNECTION, setBroken } from './no-answer.ts';
import { EmptyIcon } from './page.tsx';
import { FailedAnswer } from './without-scripts.ts';

const EVERY_MS = 2000;

/** `isFinal`: asking again changes nothing. */
type Words = { title: string; text: string; isOurs?: boolean; isFinal?: boolean };

const REFUSED: Record<number, Words> = {
  401: { title: 'Sign in again', text: 'You were signed out.' },
  403: { title: 'Not allowed', text: 'This account may not see this page.', isFinal: true },
  404: {
    title: 'Page not found',
    text: 'There is nothing at this address. It may have been deleted.',
    isFinal: true,
  },
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
    setBroken(true);
    if (!isUnreached) return () => setBroken(false);
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
      setBroken(false);
      clearInterval(timer);
    };
  }, [isUnreached]);
  return { isTrying: state !== 'idle', revalidate };
}

/** A heading that takes the focus when it comes after the page did. */
function Heading({ title }: { title: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what else failed is told as well.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [title]);
  return (
    <h1 ref={heading} tabIndex={-1} className="mt-5 font-display text-2xl font-semibold text-balance">
      {title}
    </h1>
  );
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
      <Home isApp={isApp} variant="secondary" />
    </div>
  );
}

type HomeProps = { isApp: boolean; variant?: 'secondary' };

const Home = ({ isApp, ...look }: HomeProps) => (
  <ButtonLink to={isApp ? '/app/dashboard' : '/'} {...look}>
    {isApp ? 'Go to the dashboard' : 'Go to the start page'}
  </ButtonLink>
);

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
  const { title, text, isOurs, isFinal } = wordsOf(error, isApp, wasLoaded ? undefined : asked);
  return (
    <section className="max-w-xl py-6 sm:py-12">
      <title>{`${title} – Tidepost`}</title>
      <EmptyIcon icon={CircleAlert} />
      <Heading title={title} />
      <p className="mt-2 text-lg text-ink-2 text-pretty">{text}</p>
      {useContext(FailedAnswer)?.typed ??
        (isFinal ? (
          <div className="mt-6 flex">
            <Home isApp={isApp} />
          </div>
        ) : (
          <Ways isApp={isApp} isUnreached={error === NO_CONNECTION} />
        ))}
      {isOurs && wasLoaded && requestId && (
        <p className="mt-8 text-xs text-ink-3">
          If you write to us about this, name the request <code className="block font-mono">{requestId}</code>
        </p>
      )}
    </section>
  );
}

/** Whole documents: whatever failed here may not know the way to another page. */
const WAYS = [
  ['/help', 'Help'],
  ['/login', 'Log in'],
] as const;

/** A page without the frame of the app, for who is not known or when nothing of it can be had. */
export const BarePage = ({ children }: { children: ReactNode }) => (
  <div className="mx-auto flex min-h-dvh max-w-xl flex-col px-4 py-6">
    <nav aria-label="Main" className="flex flex-wrap items-center gap-4">
      <LogoLink />
      {WAYS.map(([href, label]) => (
        <a key={href} href={href} className="link inline-flex min-h-11 items-center">
          {label}
        </a>
      ))}
    </nav>
    <main id="main" className="flex flex-1 flex-col justify-center">
      {children}
    </main>
  </div>
);
