import { useContext } from 'react';
import { type ErrorResponse, useRouteLoaderData } from 'react-router';
import { Button, ButtonLink } from '#app/ui/form/button.tsx';
import { FailedFrame } from './failed-frame.tsx';
import { FailedResponse } from './without-scripts.ts';

/** Where its reader most likely wanted to go; the first of them is home. */
const PLACES = {
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

const OTHERWISE = {
  403: ['Not allowed', 'This account may not see this page.'],
  404: ['Page not found', 'There is nothing at this address. It may have been deleted.'],
} as const;

/** Its links lead to whole documents where the browser may not know the way to another page. */
const Place = ({ place: [to, label], isFirst }: { place: readonly [string, string]; isFirst: boolean }) => (
  <ButtonLink
    to={to}
    variant={isFirst ? 'primary' : 'secondary'}
    reloadDocument={!to.startsWith('/app') || undefined}
  >
    {label}
  </ButtonLink>
);

/** Asks the page of help, whose answers lead to the pages they are about. */
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

/** What is not there, or not for its reader: asking again changes nothing, so it shows where else to go. */
export function DeadEnd({ error, isApp }: { error: ErrorResponse; isApp: boolean }) {
  const app = useRouteLoaderData<{ user?: { isAdmin: boolean } }>('app-layout');
  const typed = useContext(FailedResponse)?.typed;
  const [title, text] = OTHERWISE[error.status as keyof typeof OTHERWISE];
  const places = PLACES[isApp ? (app?.user?.isAdmin ? 'admin' : 'user') : 'visitor'];
  return (
    <FailedFrame title={title} text={typeof error.data === 'string' && error.data ? error.data : text}>
      {typed ?? (
        <>
          <nav aria-label="Likely places" className="mt-6 flex flex-wrap gap-3">
            {places.map((place, index) => (
              <Place key={place[0]} place={place} isFirst={index === 0} />
            ))}
          </nav>
          <Search />
        </>
      )}
    </FailedFrame>
  );
}
