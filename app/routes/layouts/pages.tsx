import { Outlet, useLocation, useMatches } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { pageMiddleware } from '#app/http/page-middleware.ts';
import { HelpButton, HelpDialog } from '#app/routes/help/button.tsx';
import { HELP_LINK_PROPS, HelpLinkContent } from '#app/ui/layout/help-link.tsx';
import { ignoreSearch } from '#app/ui/should-revalidate.ts';
import type { Route } from './+types/pages.ts';

const HELP = '/help';

export const middleware: Route.MiddlewareFunction[] = pageMiddleware;

export const shouldRevalidate = ignoreSearch;

export async function loader({ context, url }: Route.LoaderArgs) {
  if (url.searchParams.has('help')) await HelpDialog.load();
  const actor = context.get(viewerContext)?.actor;
  return actor ? { name: actor.name, email: actor.email } : null;
}

/** For pages without scripts: links to the help page, and there to its form. */
const HelpLink = () => (
  <a href={useLocation().pathname === HELP ? '#support' : HELP} {...HELP_LINK_PROPS}>
    <HelpLinkContent />
  </a>
);

export default function Pages({ loaderData: asker }: Route.ComponentProps) {
  const isStatic = useMatches().some(
    ({ handle }) => (handle as { isStatic?: boolean } | undefined)?.isStatic,
  );
  return (
    <>
      <Outlet />
      <aside aria-label="Help">{isStatic ? <HelpLink /> : <HelpButton asker={asker} />}</aside>
    </>
  );
}
