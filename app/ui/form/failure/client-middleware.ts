import { useEffect, useSyncExternalStore } from 'react';
import {
  type DataStrategyResult,
  isRouteErrorResponse,
  type MiddlewareFunction,
  useLocation,
  useMatches,
} from 'react-router';

/** Why there is no answer: nobody was reached, or the server had none to give. */
export type FailureReason = 'unreached' | 'fault';
/** `offline`: the browser has no connection, so the form was not sent. */
export type FormFailureReason = FailureReason | 'offline';

/** What a page that could not be fetched ends in. */
export const NO_CONNECTION = new Error();

type Loaded = Record<string, DataStrategyResult>;
/** Says why a form has no answer, or, when it was refused, what the server said. */
type Say = (lack: FormFailureReason, refusal?: string) => void;
/** A form leads to another page; a switch leads back to the page it is on; `quiet` is sent by the page itself, and never leads anywhere. */
type Kind = 'form' | 'switch' | 'quiet';
type Sent = { say: Say; kind: Kind };

/** The page that stands there, and the routes around it, which stay when the next page cannot be had. */
let currentPage: { address: string; around: string[] } | undefined;
/** Whether the last form was not taken because its reader is signed out. */
let isSignedOut = false;
/** Whether an error stands in place of what the page shows. */
let isBroken = false;
/** Who keeps the page up to date is told of each time. */
let keeper: ((lack?: FailureReason) => void) | undefined;
/** The forms on their way, by the addresses that they are sent to. */
const sent = new Map<string, Sent>();
/** How many forms that lead to a page were sent, and how many of them are on their way. */
const forms = { begun: 0, underWay: 0 };

export const setRefreshListener = (tell: typeof keeper) => {
  keeper = tell;
};
export const setPageFailed = (is: boolean) => {
  isBroken = is;
};

/**
 * Registers a form that is about to be sent to `to`, and how to report that it failed.
 *
 * @param say Called with the reason when the form gets no answer or is refused.
 * @returns False without a connection: `say` has been called, and the form must not be sent, because React Router
 *   reloads the page when it cannot fetch the script of a route.
 */
export function registerSubmission(to: URL, say: Say, kind: Kind = 'form'): boolean {
  to.hash = '';
  if (!navigator.onLine) {
    say('offline');
    return false;
  }
  sent.set(to.href, { say, kind });
  return true;
}

/** Notes what stands on the page. */
export function useCurrentPage(): void {
  const { pathname, search } = useLocation();
  const matches = useMatches();
  useEffect(() => {
    const around = matches.slice(0, -1).map(({ id }) => id);
    currentPage = { address: new URL(pathname + search, location.href).href, around };
    return () => {
      currentPage = undefined;
    };
  });
}

/** The URL of the page that is being fetched to replace the current one. */
let coming: URL | undefined;
const watchers = new Set<() => void>();

function setComing(url: URL | undefined): void {
  coming = url;
  for (const watcher of watchers) watcher();
}

function watchComing(watcher: () => void) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/**
 * Returns the URL of a link that was just followed, until its page is shown. React Router's own `useNavigation`
 * reports it in a transition, which waits while a part of the current page is still being fetched.
 */
export function usePendingLocation(): URL | undefined {
  const { pathname, search } = useLocation();
  const next = useSyncExternalStore(
    watchComing,
    () => coming,
    () => undefined,
  );
  return next && next.pathname + next.search !== pathname + search ? next : undefined;
}

/** Records the URL of a page that is being fetched. A redirect may lead back to the current one: then none is coming. */
function followed({ method, url, signal }: Request): void {
  if (method !== 'GET') return;
  if (url === currentPage?.address) {
    setComing(undefined);
    return;
  }
  const next = new URL(url);
  setComing(next);
  signal.addEventListener('abort', () => coming === next && setComing(undefined), { once: true });
}

/**
 * `fetch` throws a TypeError when no server answers. React Router's own errors have no type, so they are recognised by their
 * beginning: "Unable to decode turbo-stream response" when an answer breaks off, and "Unable to fetch new route matches"
 * without one.
 */
function lackOf({ type, result }: DataStrategyResult): FailureReason | undefined {
  if (type !== 'error' || result instanceof Response) return undefined;
  if (isRouteErrorResponse(result)) return result.status < 500 ? undefined : 'fault';
  const cause = (result as { data?: unknown }).data ?? result;
  return /^(TypeError|Error: Unable)/.test(String(cause)) ? 'unreached' : 'fault';
}

/** A server's own sentence; a page of somebody on the way is none. */
function refusalIn({ type, result }: DataStrategyResult): string | undefined {
  if (type !== 'error' || !isRouteErrorResponse(result) || result.status >= 500) return undefined;
  const said = String(result.data);
  return said && !said.includes('<') ? said : undefined;
}

const isUnknown = ({ result }: DataStrategyResult) => isRouteErrorResponse(result) && result.status === 401;
const isRedirect = ({ result }: DataStrategyResult) => result instanceof Response;

const isError = ({ type }: DataStrategyResult) => type === 'error';

/** Counts a form that leads to a page until it is answered. */
function counting({ method, url }: Request, next: () => Promise<Loaded>): Promise<Loaded> {
  if (method === 'GET' || sent.get(url)?.kind !== 'form') return next();
  forms.begun++;
  forms.underWay++;
  return next().finally(() => forms.underWay--);
}

const map = (loaded: Loaded, change: (each: DataStrategyResult) => DataStrategyResult): Loaded =>
  Object.fromEntries(Object.entries(loaded).map(([id, each]) => [id, change(each)]));

/** The error of the page alone. The layouts around it stay as they are shown. */
function failedPage(loaded: Loaded, lack: FailureReason): Loaded {
  const around = currentPage?.around ?? [];
  const inner = Object.entries(loaded).filter(([id]) => !around.includes(id));
  const failed = inner.length > 0 ? Object.fromEntries(inner) : loaded;
  return lack === 'fault' ? failed : map(failed, () => ({ type: 'error', result: NO_CONNECTION }));
}

/**
 * Minds what gets no answer. A form stays where it is, with what was typed, and says so. A page that is brought up
 * to date stays as it stands: React Router keeps what it has of a route for which nothing comes. Another page
 * fails by itself, and what stands around it stays. Where a switch leads back to nobody goes when a form was sent
 * besides: React Router would show whichever page came last, and that could be without what the form did.
 */
export const failureMiddleware: MiddlewareFunction<Loaded> = async ({ request }, next) => {
  const { begun } = forms;
  followed(request);
  const loaded = await counting(request, next);
  const each = Object.values(loaded);
  const lack = each.map(lackOf).find(Boolean);
  const refusal = each.map(refusalIn).find(Boolean);
  const form = sent.get(request.url);
  sent.delete(request.url);
  if (request.signal.aborted) return loaded;
  const isShown = request.method === 'GET' && request.url === currentPage?.address && !isBroken;
  if (isShown) keeper?.(lack);
  if (form) isSignedOut = each.some(isUnknown);
  // Who is led away to sign in loses what stands in the form.
  const isLedAway = isSignedOut && each.some(isRedirect);
  if (isShown && (lack || isLedAway)) return {};
  const hasFailed = lack || refusal || (form?.kind === 'quiet' && each.some(isError));
  if (hasFailed) form?.say(lack ?? 'fault', refusal);
  const isBesides = forms.underWay > 0 || forms.begun > begun;
  const isSwitchBesides = form?.kind === 'switch' && isBesides && each.some(isRedirect);
  if (form && (hasFailed || isSwitchBesides)) return map(loaded, () => ({ type: 'data', result: null }));
  return lack ? failedPage(loaded, lack) : loaded;
};
