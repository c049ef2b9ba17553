import { data, Link, redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { TicketReply } from '#app/domain/support/schema.ts';
import { answerOwnTicket, findOwnTicket } from '#app/domain/support/tickets.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { limitAccount } from '#app/http/rate-limit.ts';
import { actorOf } from '#app/http/session/session.ts';
import { PageHeader } from '#app/ui/layout/page.tsx';
import { TicketBadge } from '#app/ui/post/status-badges.tsx';
import type { Route } from './+types/thread-page.ts';
import { presentThread } from './present.ts';
import { ThreadView } from './thread.tsx';

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData ? `Request #${loaderData.number}` : 'Request'} – Tidepost` },
  { name: 'description', content: 'What you asked our support, what we answered, and room to write again.' },
];

export async function loader({ context, params }: Route.LoaderArgs) {
  const actor = actorOf(context);
  const thread = await findOwnTicket(db(), actor, params.id).catch((error: unknown) => {
    throw error instanceof Refusal ? data(error.message, { status: error.status }) : error;
  });
  return presentThread(thread, actor.timeZone);
}

export const action = ({ context, params }: Route.ActionArgs) =>
  submit({ context }, TicketReply, async ({ message }) => {
    const actor = actorOf(context);
    await limitAccount('ask', actor.userId);
    const { id } = await answerOwnTicket(db(), actor, { ticketId: params.id, message });
    setFlash(context, 'success', 'Your message was sent. We reply by mail, and here.');
    return redirect(`/app/support/${id}`);
  });

export default function OwnThread({ loaderData: thread, actionData }: Route.ComponentProps) {
  const { id, number, subject, category, status } = thread;
  return (
    <>
      <Link to="/app/support" className="link inline-flex min-h-11 items-center">
        Your requests
      </Link>
      <PageHeader
        title={`Request #${number}`}
        description={category}
        badge={<TicketBadge status={status} />}
      />
      <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4">
        <p className="text-lg font-semibold break-words" dir="auto">
          {subject}
        </p>
        <ThreadView thread={thread} action={`/app/support/${id}`} result={actionData} />
      </div>
    </>
  );
}
