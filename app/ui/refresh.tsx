import { useEffect, useState } from 'react';
import { type DataStrategyResult, type MiddlewareFunction, useLocation, useRevalidator } from 'react-router';
import { ButtonLink } from './button.tsx';
import { fetchAll } from './on-demand.tsx';
import { ErrorPage } from './page.tsx';
import { useHasErrors } from './standing-errors.tsx';

const EVERY_MS = 2000;
const BARE_SECONDS = 3;
/** Without scripts an error goes with the page that it stands in, so it is left there to be read. */
const BESIDE_ERROR_SECONDS = 20;

type KeepFreshProps = {
  /** Loaded without scripts in place of the address itself, which is not loaded anew once it has a #fragment. */
  to?: string | null;
  /** How often it is loaded anew without scripts. */
  seconds?: number;
};

/** The page that is kept up to date, by its address, and what is told whether the connection is lost. */
let kept: { address: string; tell: (isLost: boolean) => void } | undefined;

/** What a page that could not be fetched ends in: nobody was reached, so nothing is known of our side. */
export const NO_CONNECTION = new Error();
/** What a form ends in that was sent and got no answer: it may have arrived. */
export const NO_ANSWER = new Error();

type Loaded = Record<string, DataStrategyResult>;

/** What `fetch` throws where nobody answers, and React Router at an answer that breaks off; wrapped for a form. */
const isUnreached = ({ type, result }: DataStrategyResult) =>
  type === 'error' &&
  /^(TypeError|Error: Unable)/.test(String((result as { data?: unknown }).data ?? result));

/**
 * A page that is brought up to date without a connection stays as it stands: React Router keeps what it has of a
 * route for which nothing comes. Another page ends in `NO_CONNECTION`, a form in `NO_ANSWER`.
 */
export const minding: MiddlewareFunction<Loaded> = async ({ request }, next) => {
  const loaded = await next();
  const isLost = Object.values(loaded).some(isUnreached);
  const isForm = request.method !== 'GET';
  if (!isForm && request.url === kept?.address) {
    kept.tell(isLost);
    return isLost ? {} : loaded;
  }
  if (isLost) for (const each of Object.values(loaded)) each.result = isForm ? NO_ANSWER : NO_CONNECTION;
  return loaded;
};

/**
 * Stands instead of a page that could not be fetched, and fetches it once somebody answers again. What is said of a
 * form that got no answer stays until it is read: the addresses that forms are sent to lead to their pages.
 */
export function NoConnection({ isForm }: { isForm: boolean }) {
  useEffect(() => {
    if (isForm) return;
    const look = () => fetch('/health').then(({ ok }) => ok && location.reload(), Boolean);
    const timer = setInterval(look, EVERY_MS);
    return () => clearInterval(timer);
  }, [isForm]);
  return (
    <ErrorPage
      title="No connection"
      text={
        isForm
          ? 'This may have arrived. Look before you do it again.'
          : 'The page comes by itself when Tidepost answers.'
      }
      actions={
        <ButtonLink to={useLocation()} reloadDocument>
          Reload
        </ButtonLink>
      }
    />
  );
}

/** Keeps the page up to date while it stands there: with scripts every 2 seconds, without them every 3, or as told. */
export function KeepFresh({ to, seconds: bare = BARE_SECONDS }: KeepFreshProps) {
  const { revalidate } = useRevalidator();
  const { pathname, search } = useLocation();
  const [isLost, tell] = useState(false);
  const seconds = useHasErrors() ? BESIDE_ERROR_SECONDS : bare;
  useEffect(() => {
    fetchAll();
    kept = { address: new URL(pathname + search, location.href).href, tell };
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void revalidate();
    }, EVERY_MS);
    return () => {
      clearInterval(timer);
      kept = undefined;
    };
  }, [revalidate, pathname, search]);
  return (
    <>
      <noscript>
        <meta httpEquiv="refresh" content={to ? `${seconds}; url=${to}` : `${seconds}`} />
      </noscript>
      <div role="status" className="toasts">
        {isLost && <p className="banner banner-info">No connection. We try again by ourselves.</p>}
      </div>
    </>
  );
}
