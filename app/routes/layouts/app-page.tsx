import { Outlet, useLocation, useRouteLoaderData } from 'react-router';
import { FailedPage } from '#app/ui/failed-page.tsx';
import { failureToLoad } from '#app/ui/shell-links.tsx';
import type { Route } from './+types/app-page.ts';

export default function AppPage() {
  return <Outlet />;
}

/** An error stands where its page would, and what is around the page stays. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const root = useRouteLoaderData<{ requestId: string }>('root');
  return <FailedPage error={error} asked={failureToLoad(useLocation())} requestId={root?.requestId} />;
}
