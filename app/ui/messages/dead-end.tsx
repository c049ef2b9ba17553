import { useContext } from 'react';
import { type ErrorResponse, useRouteLoaderData } from 'react-router';
import { Button, ButtonLink } from '#app/ui/form/button.tsx';
import { FailedFrame } from './failed-frame.tsx';
import { FailedResponse } from './without-scripts.ts';

/** The first link of each list is the home page. */
const LINKS = {
  admin: [
    ['/app/admin', 'Go to the dashboard'],
    ['/app/admin?tab=users', 'Users'],
    ['/app/admin/support-feedback', 'Support & Feedback'],
  ],
  user: [
    ['/app/dashboard', 'Go to the dashboard'],
    ['/app/scheduled', 'Scheduled Posts'],
    ['/app/posts', 'Post History'],
  ],
  visitor: [
    ['/', 'Go to the start page'],
    ['/help', 'Help'],
    ['/login', 'Log in'],
  ],
} as const;

const DEFAULTS = {
  403: ['Not allowed', 'This account may not see this page.'],
  404: ['Page not found', 'There is nothing at this address. It may have been deleted.'],
} as const;

const Search = () => (
  <search>
    <form action="/help" className="mt-6">
      <label className="field">
        <span className="field-label">Or search the answers</span>
        <span className="flex gap-2">
          <input type="search" name="q" required className="input min-w-0 flex-1" dir="auto" />
          <Button type="submit" variant="secondary">
            Search
          </Button>
        </span>
      </label>
    </form>
  </search>
);

/** The page for a 403 or 404, which a retry would not change: it shows other pages to go to. */
export function DeadEnd({ error, isApp }: { error: ErrorResponse; isApp: boolean }) {
  const app = useRouteLoaderData<{ user?: { isAdmin: boolean } }>('app-layout');
  const typed = useContext(FailedResponse)?.typed;
  const [title, text] = DEFAULTS[error.status as keyof typeof DEFAULTS];
  const links = LINKS[isApp ? (app?.user?.isAdmin ? 'admin' : 'user') : 'visitor'];
  return (
    <FailedFrame title={title} text={typeof error.data === 'string' && error.data ? error.data : text}>
      {typed ?? (
        <>
          <nav aria-label="Likely places" className="mt-6 flex flex-wrap gap-3">
            {links.map(([to, label], index) => (
              <ButtonLink
                key={to}
                to={to}
                variant={index === 0 ? 'primary' : 'secondary'}
                reloadDocument={!to.startsWith('/app') || undefined}
              >
                {label}
              </ButtonLink>
            ))}
          </nav>
          <Search />
        </>
      )}
    </FailedFrame>
  );
}
