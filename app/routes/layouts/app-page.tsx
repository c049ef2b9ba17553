import { Outlet, useLocation, useRouteLoaderData } from 'react-router';
import { loadFailureOf } from '#app/ui/layout/nav-links.tsx';
import { FailedPage } from '#app/ui/messages/error-page.tsx';
import type { Route } from './+types/app-page.ts';

export default function AppPage() {
  return <Outlet />;
}

/** An error replaces the page inside its layout. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const root = useRouteLoaderData<{ requestId: string }>('root');
  return <FailedPage error={error} failure={loadFailureOf(useLocation())} requestId={root?.requestId} />;
}
