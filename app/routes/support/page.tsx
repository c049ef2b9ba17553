import { LifeBuoy } from 'lucide-react';
import { Link } from 'react-router';
import { db } from '#app/db/client.ts';
import { listOwnTickets } from '#app/domain/support/tickets.ts';
import { actorOf } from '#app/http/session/session.ts';
import { Pager } from '#app/ui/components/pager.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import { TicketBadge } from '#app/ui/post/status-badges.tsx';
import { Time } from '#app/ui/time.tsx';
import type { Route } from './+types/page.ts';
import { presentTicket } from './present.ts';

export const meta: Route.MetaFunction = () =>
  pageMeta('Your requests', 'What you asked our support, and where each request stands.');

const PER_PAGE = 20;
const REQUESTS = '/app/support';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = actorOf(context);
  const cursor = url.searchParams.get('cursor') || undefined;
  const { rows, nextCursor } = await listOwnTickets(db(), actor, { limit: PER_PAGE, cursor });
  const tickets = rows.map((row) => presentTicket(row, actor.timeZone));
  const older = nextCursor && `${REQUESTS}?${new URLSearchParams({ cursor: nextCursor })}`;
  return { tickets, older, first: cursor ? REQUESTS : null };
}

export default function OwnRequests({ loaderData: { tickets, older, first } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Your requests"
        description="What you asked us, and what we answered."
        actions={
          <ButtonLink to={`${REQUESTS}?help=support`} preventScrollReset>
            New request
          </ButtonLink>
        }
      />
      {tickets.length === 0 ? (
        <EmptyState
          icon={LifeBuoy}
          title="You have not asked us anything yet"
          text="When you write to us, your request and our answer stand here."
          action={
            <ButtonLink to="/help" reloadDocument variant="secondary">
              Find an answer
            </ButtonLink>
          }
        />
      ) : (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {tickets.map((ticket) => (
            <Request key={ticket.id} {...ticket} />
          ))}
        </ul>
      )}
      <Pager first={first} firstLabel="Back to the newest" next={older} nextLabel="Older requests" />
    </>
  );
}

type Ticket = Route.ComponentProps['loaderData']['tickets'][number];

const Request = ({ id, number, subject, category, status, at, latestAnswer, isAnswered, isDone }: Ticket) => (
  <li className="card p-4">
    <div className="flex items-center justify-between gap-3">
      <h2 className="min-w-0 font-semibold">
        <Link to={`/app/support/${id}`} className="link flex min-h-11 items-center">
          <span className="min-w-0 break-words" dir="auto">
            {subject}
          </span>
        </Link>
      </h2>
      <span className="shrink-0">
        <TicketBadge status={status} />
      </span>
    </div>
    <p className="text-sm text-ink-3">
      #{number} · {category} · <Time {...at} />
    </p>
    {latestAnswer ? (
      <p className="mt-2 border-s-2 border-line ps-3 break-words line-clamp-3" dir="auto">
        {latestAnswer}
      </p>
    ) : (
      <p className="mt-2 text-ink-2">{isDone ? 'It is over without an answer.' : 'Not answered yet.'}</p>
    )}
    {latestAnswer && !isAnswered && <p className="mt-2 text-ink-2">You wrote again after this.</p>}
  </li>
);
