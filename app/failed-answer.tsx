import type { ReactNode } from 'react';
import {
  type EntryContext,
  isRouteErrorResponse,
  type LoaderFunction,
  type RouterContextProvider,
} from 'react-router';
import { RecoveredForm } from '#app/ui/form/recovered-form.tsx';
import { sentFormContext } from './context.ts';

type Module = { loader?: LoaderFunction; ErrorBoundary?: unknown };
type Args = { entry: EntryContext; request: Request; context: Readonly<RouterContextProvider> };

const SIGNED_OUT = 401;
const RETRYABLE = new Set([400, SIGNED_OUT, 413, 415, 429]);

/**
 * React Router renders an error of a middleware in place of the whole page. Returns an entry that renders it inside the
 * page's layouts, as far as their data can be loaded.
 */
async function withLayouts({ entry, request, context }: Args): Promise<EntryContext> {
  const { staticHandlerContext: state } = entry;
  const url = new URL(request.url);
  const modules = entry.routeModules as Record<string, Module | undefined>;
  const [error] = Object.values(state.errors!);
  const loaderData = { ...state.loaderData };
  let { errors } = state;
  const last = state.matches.findLastIndex(({ route }) => modules[route.id]?.ErrorBoundary);
  for (const { route, params } of state.matches.slice(0, last + 1)) {
    const { loader, ErrorBoundary } = modules[route.id] ?? {};
    try {
      loaderData[route.id] = (await loader?.({ request, url, context, params } as never)) ?? null;
    } catch {
      break;
    }
    if (ErrorBoundary) errors = { [route.id]: error };
  }
  return { ...entry, staticHandlerContext: { ...state, loaderData, errors } };
}

async function recoverForm({ entry, request, context }: Args): Promise<ReactNode> {
  const [error] = Object.values(entry.staticHandlerContext.errors!);
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const canSend = status >= 500 || RETRYABLE.has(status);
  const fields = await context.get(sentFormContext)!();
  if (fields.length === 0 && !canSend) return null;
  const { pathname, search } = new URL(request.url);
  const reason = status === SIGNED_OUT ? 'signed out' : status >= 500 ? 'fault' : 'refused';
  return <RecoveredForm action={pathname + search} fields={fields} canSend={canSend} reason={reason} />;
}

type PreparedResponse = { entry: EntryContext; failed: { typed: ReactNode } | null };

/**
 * Returns what to render for a request. `failed` is set if the response is an error page that responds to a form, or that
 * failed before the data of any route was loaded.
 */
export async function prepareFailedResponse(args: Args): Promise<PreparedResponse> {
  const { entry, context } = args;
  const { errors, loaderData } = entry.staticHandlerContext;
  const hasRootData = 'root' in loaderData;
  const isForm = context.get(sentFormContext) !== null;
  if (!errors || (hasRootData && !isForm)) return { entry, failed: null };
  return {
    entry: hasRootData ? entry : await withLayouts(args),
    failed: { typed: isForm ? await recoverForm(args) : null },
  };
}
