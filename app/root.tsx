import interLatin from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import newsreaderLatin from '@fontsource-variable/newsreader/files/newsreader-latin-wght-normal.woff2?url';
import { useState } from 'react';
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useMatches,
  useRouteLoaderData,
} from 'react-router';
import type { Route } from './+types/root.ts';
import styles from './app.css?url';
import { nonceContext, requestIdContext } from './context.ts';
import { compressResponse, respond } from './http/headers.ts';
import { takeNotices } from './http/notice.ts';
import siteStyles from './site.css?url';
import { ButtonLink } from './ui/button.tsx';
import favicon from './ui/favicon.svg?inline';
import { Notices } from './ui/notices.tsx';
import { ErrorPage } from './ui/page.tsx';
import { minding, NO_ANSWER, NO_CONNECTION, NoConnection } from './ui/refresh.tsx';
import { KeepErrors } from './ui/standing-errors.tsx';

export const middleware: Route.MiddlewareFunction[] = [compressResponse, respond];
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [minding];

export function loader({ context }: Route.LoaderArgs) {
  return {
    nonce: context.get(nonceContext),
    requestId: context.get(requestIdContext),
    notices: takeNotices(context),
  };
}

/** A form that was refused has a notice to show as well, but not one that is saved while somebody writes. */
export function shouldRevalidate(form: ShouldRevalidateFunctionArgs) {
  const isSent = form.formMethod && form.formMethod.toUpperCase() !== 'GET';
  return Boolean(isSent && !form.formAction?.endsWith('&auto')) || form.defaultShouldRevalidate;
}

const font = (href: string) =>
  ({ rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', href }) as const;

export const links: Route.LinksFunction = () => [
  font(interLatin),
  font(newsreaderLatin),
  // In the page itself: browsers would ask for it on every first visit.
  { rel: 'icon', href: favicon, type: 'image/svg+xml' },
];

/** A page whose `handle` says `isStatic` is sent without scripts, and with few styles. */
type PageHandle = { isStatic?: boolean };

export function Layout({ children }: { children: React.ReactNode }) {
  const data = useRouteLoaderData<typeof loader>('root');
  // The browser hides a nonce from scripts, so what React finds there is the empty string.
  const nonce = typeof document === 'undefined' ? data?.nonce : '';
  const isStatic = useMatches().some(({ handle }) => (handle as PageHandle | undefined)?.isStatic);
  const [sheet] = useState(isStatic ? siteStyles : styles);
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, maximum-scale=5" />
        <meta name="color-scheme" content="light dark" />
        <Meta />
        <link rel="stylesheet" href={sheet} />
        <Links />
      </head>
      <body>
        {children}
        {!isStatic && (
          <>
            <ScrollRestoration nonce={nonce} />
            <Scripts nonce={nonce} />
          </>
        )}
      </body>
    </html>
  );
}

export default function Root({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <KeepErrors notices={loaderData.notices}>
        <Outlet />
      </KeepErrors>
      <Notices notices={loaderData.notices} />
    </>
  );
}

const ERROR_TITLES: Record<number, string> = { 403: 'Not allowed', 404: 'Page not found' };

export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  const isForm = error === NO_ANSWER;
  if (isForm || error === NO_CONNECTION) return <NoConnection isForm={isForm} />;
  const home = <ButtonLink to="/app/dashboard">Go to the dashboard</ButtonLink>;
  if (isRouteErrorResponse(error) && error.status < 500) {
    const text = typeof error.data === 'string' ? error.data : 'Go back and try again.';
    const title = ERROR_TITLES[error.status] ?? 'This did not work';
    return <ErrorPage title={title} text={text} actions={home} />;
  }
  return (
    <ErrorPage
      title="Something went wrong on our side"
      text="Your scheduled posts are safe and still go out. Please try again in a minute."
      requestId={loaderData?.requestId}
      actions={home}
    />
  );
}
