import { useContext, useState } from 'react';
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useMatches,
  useRouteLoaderData,
} from 'react-router';
import { consumeFlash } from '#app/http/forms/flash.ts';
import { readTheme } from '#app/http/forms/theme-cookie.ts';
import { compressResponse, respond } from '#app/http/request-middleware.ts';
import { useClientErrors } from '#app/ui/form/failure/client-errors.ts';
import { failureMiddleware, useCurrentPage } from '#app/ui/form/failure/client-middleware.ts';
import { Beacon, BeaconScript } from '#app/ui/layout/beacon.tsx';
import { BarePage, FailedPage } from '#app/ui/messages/error-page.tsx';
import { InlineErrorsProvider } from '#app/ui/messages/inline-notices.tsx';
import { Toasts } from '#app/ui/messages/toasts.tsx';
import { FailedResponse } from '#app/ui/messages/without-scripts.ts';
import { ignoreSearch } from '#app/ui/should-revalidate.ts';
import type { Route } from './+types/root.ts';
import styles from './app.css?url';
import { nonceContext, requestIdContext, viewerContext } from './context.ts';
import siteStyles from './site.css?url';

export const middleware: Route.MiddlewareFunction[] = [compressResponse, respond];
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [failureMiddleware];

export function loader({ context, request }: Route.LoaderArgs) {
  return {
    nonce: context.get(nonceContext),
    requestId: context.get(requestIdContext),
    flash: consumeFlash(context),
    theme: readTheme(request),
    userId: context.get(viewerContext)?.actor.userId,
  };
}

/** Also loads the flash message of a refused form, unless the form was saved automatically (`&auto`). */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  const { formMethod, formAction } = args;
  const isSubmission = formMethod && formMethod.toUpperCase() !== 'GET';
  return Boolean(isSubmission && !formAction?.endsWith('&auto')) || ignoreSearch(args);
}

export const links: Route.LinksFunction = () => [
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/site.webmanifest' },
];

/** The colour of the browser's own bars on phones. */
const THEME_COLOURS: Record<string, string> = { light: '#ffffff', dark: '#101e26' };

/** `isStatic`: the page is sent without scripts, and with a smaller stylesheet. */
type PageHandle = { isStatic?: boolean };

export function Layout({ children }: { children: React.ReactNode }) {
  const data = useRouteLoaderData<typeof loader>('root');
  // Browsers hide nonces from scripts, so hydration finds an empty string.
  const nonce = typeof document === 'undefined' ? data?.nonce : '';
  const isStatic = useMatches().some(({ handle }) => (handle as PageHandle | undefined)?.isStatic);
  const hasScripts = !useContext(FailedResponse) && !isStatic;
  const hasBeacon = useContext(BeaconScript) !== '' || hasScripts;
  const [sheet] = useState(isStatic ? siteStyles : styles);
  return (
    <html lang="en" data-theme={data?.theme} data-user={data?.userId}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, maximum-scale=5" />
        <meta name="color-scheme" content={data?.theme ?? 'light dark'} />
        {Object.entries(THEME_COLOURS).map(([theme, colour]) => (
          <meta
            key={theme}
            name="theme-color"
            content={THEME_COLOURS[data?.theme ?? ''] ?? colour}
            media={`(prefers-color-scheme: ${theme})`}
          />
        ))}
        <Meta />
        <link rel="stylesheet" href={sheet} precedence="first" />
        <Links />
      </head>
      <body>
        {children}
        {hasScripts && (
          <>
            <ScrollRestoration nonce={nonce} />
            <Scripts nonce={nonce} />
          </>
        )}
        {hasBeacon && <Beacon />}
      </body>
    </html>
  );
}

export default function Root({ loaderData }: Route.ComponentProps) {
  const messages = [...loaderData.flash, ...useClientErrors()];
  useCurrentPage();
  return (
    <>
      <InlineErrorsProvider messages={messages}>
        <Outlet />
      </InlineErrorsProvider>
      <Toasts messages={messages} />
    </>
  );
}

export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  return (
    <BarePage>
      <FailedPage error={error} requestId={loaderData?.requestId} />
    </BarePage>
  );
}
