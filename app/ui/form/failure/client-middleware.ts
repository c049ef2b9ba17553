import { useEffect, useSyncExternalStore } from 'react';
import {
  type DataStrategyResult,
  isRouteErrorResponse,
  type MiddlewareFunction,
  useLocation,
  useMatches,
} from 'react-router';

/** Why there is no response: no server was reached, or the server failed. */
export type FailureReason = 'unreached' | 'fault';
/** `offline`: the browser has no connection, so the form was not sent. */
export type FormFailureReason = FailureReason | 'offline';

/** The error of a page that could not be fetched. */
export const NO_CONNECTION = new Error();

type Results = Record<string, DataStrategyResult>;
/** Receives why a form has no response, or the message with which the server refused it. */
type OnFailure = (reason: FormFailureReason, refusal?: string) => void;
/**
 * A `form` leads to another page, and a `switch` back to its own page. `quiet` forms are sent by the page itself, and never
 * navigate.
 */
type Kind = 'form' | 'switch' | 'quiet';
type Submission = { onFailure: OnFailure; kind: Kind };

/** The current page, and the ids of its layouts, which stay when the next page fails. */
let currentPage: { url: string; layouts: string[] } | undefined;
/** Whether the last form was refused because the user is signed out. */
let isSignedOut = false;
/** Whether the current page shows an error page. */
let isPageFailed = false;
/** Called after each load of the current page. */
let refreshListener: ((reason?: FailureReason) => void) | undefined;
const submissions = new Map<string, Submission>();
/** How many forms of the kind `form` have been sent, and how many are still without a response. */
const forms = { sent: 0, pending: 0 };

export const setRefreshListener = (listener: typeof refreshListener) => {
  refreshListener = listener;
};
export const setPageFailed = (isFailed: boolean) => {
  isPageFailed = isFailed;
};

/**
 * Registers a form that is about to be sent.
 *
 * @param onFailure Called when the form gets no response or is refused.
 * @returns False without a connection: `onFailure` has been called, and the form must not be sent, because React Router
 *   reloads the page when it cannot fetch the script of a route.
 */
export function registerSubmission(url: URL, onFailure: OnFailure, kind: Kind = 'form'): boolean {
  url.hash = '';
  if (!navigator.onLine) {
    onFailure('offline');
    return false;
  }
  submissions.set(url.href, { onFailure, kind });
  return true;
}

export function useCurrentPage(): void {
  const { pathname, search } = useLocation();
  const matches = useMatches();
  useEffect(() => {
    const layouts = matches.slice(0, -1).map(({ id }) => id);
    currentPage = { url: new URL(pathname + search, location.href).href, layouts };
    return () => {
      currentPage = undefined;
    };
  });
}

/** The URL of the page that is being fetched to replace the current one. */
let pendingUrl: URL | undefined;
const listeners = new Set<() => void>();

function setPendingUrl(url: URL | undefined): void {
  pendingUrl = url;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Returns the URL of a link that was just followed, until its page is shown. React Router's own `useNavigation`
 * reports it in a transition, which waits while a part of the current page is still being fetched.
 */
export function usePendingLocation(): URL | undefined {
  const { pathname, search } = useLocation();
  const next = useSyncExternalStore(
    subscribe,
    () => pendingUrl,
    () => undefined,
  );
  return next && next.pathname + next.search !== pathname + search ? next : undefined;
}

/** A redirect may lead back to the current page: then no page is pending. */
function trackNavigation({ method, url, signal }: Request): void {
  if (method !== 'GET') return;
  if (url === currentPage?.url) {
    setPendingUrl(undefined);
    return;
  }
  const next = new URL(url);
  setPendingUrl(next);
  signal.addEventListener('abort', () => pendingUrl === next && setPendingUrl(undefined), { once: true });
}

/**
 * `fetch` throws a TypeError when no server responds. React Router's own errors have no type: "Error: Unable to decode
 * turbo-stream response" is a response that broke off, and "Error: Unable to fetch new route matches" means there was none.
 */
function failureReason({ type, result }: DataStrategyResult): FailureReason | undefined {
  if (type !== 'error' || result instanceof Response) return undefined;
  if (isRouteErrorResponse(result)) return result.status < 500 ? undefined : 'fault';
  const cause = (result as { data?: unknown }).data ?? result;
  return /^(TypeError|Error: Unable)/.test(String(cause)) ? 'unreached' : 'fault';
}

/** The server's message. An HTML page of a proxy is none. */
function refusalIn({ type, result }: DataStrategyResult): string | undefined {
  if (type !== 'error' || !isRouteErrorResponse(result) || result.status >= 500) return undefined;
  const message = String(result.data);
  return message && !message.includes('<') ? message : undefined;
}

const isUnauthorized = ({ result }: DataStrategyResult) =>
  isRouteErrorResponse(result) && result.status === 401;
const isRedirect = ({ result }: DataStrategyResult) => result instanceof Response;
const isError = ({ type }: DataStrategyResult) => type === 'error';

function countForms({ method, url }: Request, next: () => Promise<Results>): Promise<Results> {
  if (method === 'GET' || submissions.get(url)?.kind !== 'form') return next();
  forms.sent++;
  forms.pending++;
  return next().finally(() => forms.pending--);
}

const replaceResults = (results: Results, result: DataStrategyResult): Results =>
  Object.fromEntries(Object.keys(results).map((id) => [id, result]));

/** The error of the page alone: its layouts stay as they are shown. */
function failPage(results: Results, reason: FailureReason): Results {
  const layouts = currentPage?.layouts ?? [];
  const inner = Object.entries(results).filter(([id]) => !layouts.includes(id));
  const failed = inner.length > 0 ? Object.fromEntries(inner) : results;
  return reason === 'fault' ? failed : replaceResults(failed, { type: 'error', result: NO_CONNECTION });
}

/**
 * Handles requests without a response:
 *
 * - A form keeps its page and what was typed, and reports the failure.
 * - A revalidation keeps the current page: React Router keeps the data of a route without a result.
 * - Another page shows an error inside the current layouts.
 *
 * The redirect of a switch is ignored if a form was sent meanwhile: React Router would show whichever page arrived last,
 * possibly one from before the form's change.
 */
export const failureMiddleware: MiddlewareFunction<Results> = async ({ request }, next) => {
  const { sent } = forms;
  trackNavigation(request);
  const results = await countForms(request, next);
  const all = Object.values(results);
  const reason = all.map(failureReason).find(Boolean);
  const refusal = all.map(refusalIn).find(Boolean);
  const submission = submissions.get(request.url);
  submissions.delete(request.url);
  if (request.signal.aborted) return results;
  const isRevalidation = request.method === 'GET' && request.url === currentPage?.url && !isPageFailed;
  if (isRevalidation) refreshListener?.(reason);
  if (submission) isSignedOut = all.some(isUnauthorized);
  // A redirect to the sign-in page would discard what was typed into the form.
  const isSignInRedirect = isSignedOut && all.some(isRedirect);
  if (isRevalidation && (reason || isSignInRedirect)) return {};
  const hasFailed = reason || refusal || (submission?.kind === 'quiet' && all.some(isError));
  if (hasFailed) submission?.onFailure(reason ?? 'fault', refusal);
  const isFormMeanwhile = forms.pending > 0 || forms.sent > sent;
  const isStaleSwitch = submission?.kind === 'switch' && isFormMeanwhile && all.some(isRedirect);
  if (submission && (hasFailed || isStaleSwitch))
    return replaceResults(results, { type: 'data', result: null });
  return reason ? failPage(results, reason) : results;
};
