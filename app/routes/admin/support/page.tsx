import { Inbox, SearchX } from 'lucide-react';
import { zoneInWords } from '#app/domain/platform/dates.ts';
import { confirmFirstOrKeep } from '#app/http/session/require-recent-auth.ts';
import { askerOf } from '#app/http/session/session.ts';
import { Dialog } from '#app/ui/components/dialog.tsx';
import { Pager } from '#app/ui/components/pager.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import type { Route } from './+types/page.ts';
import { changeSupport } from './action.ts';
import { ManagedDialog, TicketDialog } from './dialogs.tsx';
import { ManagedLine, TicketLine } from './list.tsx';
import { loadSupport } from './load.ts';
import styles from './page.css?url';
import { SAVED_REPLIES, supportAddress } from './paths.ts';
import { SupportFilters, SupportTabs } from './support-filters.tsx';

export const middleware: Route.MiddlewareFunction[] = [confirmFirstOrKeep];

export const meta: Route.MetaFunction = () => [
  { title: 'Support & Feedback – Tidepost' },
  {
    name: 'description',
    content: 'What people ask support, and what they wish for, to answer and to decide.',
  },
];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { actor, now } = askerOf(context);
  const query = new URL(request.url).searchParams;
  const [open, reply] = [query.get('open'), query.get('reply')];
  return { ...(await loadSupport(actor, query, now)), open, reply, zone: zoneInWords(actor.timeZone) };
}

export const action = ({ request, context }: Route.ActionArgs) => changeSupport({ request, context });

export default function SupportFeedback({ loaderData, actionData }: Route.ComponentProps) {
  const { place, filters, isNarrowed, tickets, feedback, first, next, zone } = loaderData;
  const isEmpty = tickets.length + feedback.length === 0;
  const at = (id: string) => supportAddress(place, id);
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="page" />
      <PageHeader
        title="Support & Feedback"
        description={`What people ask us, and what they think of Tidepost. ${zone}.`}
        actions={
          <ButtonLink to={SAVED_REPLIES} variant="secondary">
            Saved replies
          </ButtonLink>
        }
      />
      <SupportTabs current={place.tab} />
      {(!isEmpty || isNarrowed) && (
        <SupportFilters key={JSON.stringify(place)} place={place} filters={filters} isNarrowed={isNarrowed} />
      )}
      {isEmpty ? (
        <EmptyState
          icon={isNarrowed ? SearchX : Inbox}
          {...(isNarrowed ? NONE_OF_THESE : EMPTY[place.tab])}
        />
      ) : (
        <ul className="lines">
          {tickets.map((ticket) => (
            <TicketLine key={ticket.id} ticket={ticket} to={at(ticket.id)} />
          ))}
          {feedback.map((entry) => (
            <ManagedLine key={entry.id} entry={entry} to={at(entry.id)} />
          ))}
        </ul>
      )}
      <Pager first={first} firstLabel="Back to the newest" next={next} nextLabel="Earlier ones" />
      <Opened shown={loaderData} result={actionData} />
    </>
  );
}

const NONE_OF_THESE = {
  title: 'Nothing like that',
  text: 'Titles, texts, names and addresses of requests are searched, and titles and texts of feedback.',
};
const EMPTY = {
  support: {
    title: 'Nobody asks for anything',
    text: 'Requests for support stand here, with their threads.',
  },
  feedback: { title: 'No feedback yet', text: 'What people wish for and stumble over stands here.' },
};

type Shown = Route.ComponentProps['loaderData'];
type OpenedProps = { shown: Shown; result: Route.ComponentProps['actionData'] };

function Opened({ shown, result }: OpenedProps) {
  const { open, place, here, thread, entry, statuses, replies, reply, request } = shown;
  if (open === null) return null;
  const opened = { statuses, closeTo: here, action: supportAddress(place, open) };
  if (thread) {
    const offered = replies.map(({ id, title }) => ({
      title,
      isChosen: id === reply,
      to: supportAddress(place, open, id),
    }));
    const begun = replies.find(({ id }) => id === reply)?.message;
    return <TicketDialog {...opened} thread={thread} begun={begun} result={result} replies={offered} />;
  }
  if (entry) return <ManagedDialog {...opened} entry={entry} request={request} />;
  return (
    <Dialog title="This is not there" closeTo={here}>
      <p className="mt-3 text-ink-2">It may have gone with the account of who wrote it.</p>
    </Dialog>
  );
}
