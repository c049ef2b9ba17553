import { Inbox, SearchX } from 'lucide-react';
import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { EmptyInput } from '#app/domain/accounts/schema.ts';
import { setFeedbackStatus } from '#app/domain/feedback/manage.ts';
import { FeedbackStatusInput } from '#app/domain/feedback/schema.ts';
import { formatTimeZone } from '#app/domain/platform/dates.ts';
import { createTicketFromFeedback } from '#app/domain/support/feedback-request.ts';
import { TICKET_SEARCH_MAX } from '#app/domain/support/limits.ts';
import { noteOnTicket, replyToTicket, setTicketStatus } from '#app/domain/support/list-tickets.ts';
import { TicketReply, TicketStatusInput } from '#app/domain/support/schema.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { submit } from '#app/http/forms/submit.ts';
import { requireRecentAuthOrKeep } from '#app/http/session/require-recent-auth.ts';
import { actorAndTime, actorOf } from '#app/http/session/session.ts';
import { Dialog } from '#app/ui/components/dialog.tsx';
import { choiceOf, Filters } from '#app/ui/components/filters.tsx';
import { Pager } from '#app/ui/components/pager.tsx';
import { TabLinks } from '#app/ui/components/tabs.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import type { Route } from './+types/page.ts';
import { FeedbackDialog, TicketDialog } from './dialogs.tsx';
import { FeedbackLine, TicketLine } from './list.tsx';
import { loadSupport, parseSupportQuery } from './load.ts';
import styles from './page.css?url';
import { SAVED_REPLIES, supportAddress } from './paths.ts';

export const middleware: Route.MiddlewareFunction[] = [requireRecentAuthOrKeep];

export const meta: Route.MetaFunction = () =>
  pageMeta('Support & Feedback', 'What people ask support, and what they wish for, to answer and to decide.');

export async function loader({ request, context }: Route.LoaderArgs) {
  const { actor, now } = actorAndTime(context);
  const query = new URL(request.url).searchParams;
  const [open, reply] = [query.get('open'), query.get('reply')];
  return { ...(await loadSupport(actor, query, now)), open, reply, zone: formatTimeZone(actor.timeZone) };
}

export const action = ({ request, context }: Route.ActionArgs) => changeSupport({ request, context });

export default function SupportFeedback({ loaderData, actionData }: Route.ComponentProps) {
  const { current, filters, isNarrowed, tickets, feedback, first, next, zone } = loaderData;
  const isEmpty = tickets.length + feedback.length === 0;
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
      <TabLinks
        tabs={TABS.map(({ tab, label }) => ({
          to: supportAddress({ tab }),
          label,
          isCurrent: tab === current.tab,
        }))}
      />
      {(!isEmpty || isNarrowed) && (
        <Filters
          key={JSON.stringify(current)}
          chosen={{ q: current.q, status: current.status }}
          search={{ maxLength: TICKET_SEARCH_MAX }}
          choices={[choiceOf('status', 'Status', 'All statuses', filters)]}
          params={{ tab: current.tab === 'feedback' ? current.tab : '' }}
          clearTo={isNarrowed ? supportAddress({ tab: current.tab }) : null}
        />
      )}
      {isEmpty ? (
        <EmptyState icon={isNarrowed ? SearchX : Inbox} {...(isNarrowed ? NO_MATCH : EMPTY[current.tab])} />
      ) : (
        <ul className="lines">
          {tickets.map((ticket) => (
            <TicketLine key={ticket.id} ticket={ticket} to={supportAddress(current, ticket.id)} />
          ))}
          {feedback.map((entry) => (
            <FeedbackLine key={entry.id} entry={entry} to={supportAddress(current, entry.id)} />
          ))}
        </ul>
      )}
      <Pager first={first} firstLabel="Back to the newest" next={next} nextLabel="Earlier ones" />
      <OpenDialog data={loaderData} result={actionData} />
    </>
  );
}

const NO_MATCH = {
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

type OpenDialogProps = {
  data: Route.ComponentProps['loaderData'];
  result: Route.ComponentProps['actionData'];
};

function OpenDialog({ data, result }: OpenDialogProps) {
  const { open, current, here, thread, entry, statuses, replies, reply, request } = data;
  if (open === null) return null;
  const common = { statuses, closeTo: here, action: supportAddress(current, open) };
  if (thread) {
    const links = replies.map(({ id, title }) => ({
      title,
      isChosen: id === reply,
      to: supportAddress(current, open, id),
    }));
    const draft = replies.find(({ id }) => id === reply)?.message;
    return <TicketDialog {...common} thread={thread} draft={draft} result={result} replies={links} />;
  }
  if (entry) return <FeedbackDialog {...common} entry={entry} request={request} />;
  return (
    <Dialog title="This is not there" closeTo={here}>
      <p className="mt-3 text-ink-2">It may have gone with the account of who wrote it.</p>
    </Dialog>
  );
}

type Args = Pick<Route.ActionArgs, 'request' | 'context'>;

async function changeSupport(args: Args) {
  const query = new URL(args.request.url).searchParams;
  const [current, id] = [parseSupportQuery(query), query.get('open') ?? ''];
  const admin = actorOf(args.context);
  const done = (message: string) => {
    setFlash(args.context, 'success', message);
    return redirect(supportAddress(current, id));
  };
  const act = formDataOf(args.context).get('act');
  if (current.tab === 'feedback' && act === 'request') {
    return submit(args, EmptyInput, async () => {
      const request = await createTicketFromFeedback(db(), admin, id);
      setFlash(args.context, 'success', `This is request #${request.number} now`);
      return redirect(supportAddress({ tab: 'support' }, request.id));
    });
  }
  if (current.tab === 'feedback') {
    return submit(args, FeedbackStatusInput, async ({ status }) => {
      await setFeedbackStatus(db(), admin, { feedbackId: id, status });
      return done('Feedback updated');
    });
  }
  if (act === 'answer') {
    return submit(args, TicketReply, async (input) => {
      const { email } = await replyToTicket(db(), admin, { ...input, ticketId: id });
      return done(`Your answer goes to ${email}`);
    });
  }
  if (act === 'note') {
    return submit(args, TicketReply, async (input) => {
      await noteOnTicket(db(), admin, { ...input, ticketId: id });
      return done('Note kept');
    });
  }
  return submit(args, TicketStatusInput, async ({ status }) => {
    await setTicketStatus(db(), admin, { ticketId: id, status });
    return done('Support ticket updated');
  });
}

const TABS = [
  { tab: 'support', label: 'Support Tickets' },
  { tab: 'feedback', label: 'User Feedback' },
] as const;
