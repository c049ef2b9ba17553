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
/** Where another try has sense: signed in again, or a moment or a shorter text later. */
const PASSING = new Set([400, SIGNED_OUT, 413, 415, 429]);

/**
 * React Router shows what a middleware refused in place of everything. Returns an entry in which it moves to where its
 * page would be, when the data of the layouts around that page can be loaded.
 */
async function inLayouts({ entry, request, context }: Args): Promise<EntryContext> {
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

async function typedForm({ entry, request, context }: Args): Promise<ReactNode> {
  const [error] = Object.values(entry.staticHandlerContext.errors!);
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const canSend = status >= 500 || PASSING.has(status);
  const fields = await context.get(sentFormContext)!();
  if (fields.length === 0 && !canSend) return null;
  const { pathname, search } = new URL(request.url);
  const why = status === SIGNED_OUT ? 'signed out' : status >= 500 ? 'fault' : 'refused';
  return <RecoveredForm action={pathname + search} fields={fields} canSend={canSend} why={why} />;
}

type FailedAnswer = { entry: EntryContext; failed: { typed: ReactNode } | null };

/**
 * What an error page is rendered from: when it answers a form, or failed before the data of any route came, `failed`
 * says so, with what was typed.
 */
export async function prepareFailedResponse(args: Args): Promise<FailedAnswer> {
  const { entry, context } = args;
  const { errors, loaderData } = entry.staticHandlerContext;
  const isWhole = 'root' in loaderData;
  const isForm = context.get(sentFormContext) !== null;
  if (!errors || (isWhole && !isForm)) return { entry, failed: null };
  return {
    entry: isWhole ? entry : await inLayouts(args),
    failed: { typed: isForm ? await typedForm(args) : null },
  };
}
