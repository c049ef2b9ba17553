import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { NothingInput } from '#app/domain/accounts/schema.ts';
import { setFeedbackStatus } from '#app/domain/feedback/manage.ts';
import { FeedbackStatusInput } from '#app/domain/feedback/schema.ts';
import { makeRequestOf } from '#app/domain/support/feedback-request.ts';
import { TicketReply, TicketStatusInput } from '#app/domain/support/schema.ts';
import { noteOnTicket, replyToTicket, setTicketStatus } from '#app/domain/support/ticket-desk.ts';
import { notify } from '#app/http/forms/flash.ts';
import { formOf } from '#app/http/forms/read-form.ts';
import { submit } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from './+types/page.ts';
import { placeIn } from './load.ts';
import { supportAddress } from './paths.ts';

type Args = Pick<Route.ActionArgs, 'request' | 'context'>;

/** What the forms of the opened request or feedback do; the page with it follows, which says that it is done. */
export async function changeSupport(args: Args) {
  const query = new URL(args.request.url).searchParams;
  const [place, id] = [placeIn(query), query.get('open') ?? ''];
  const admin = actorOf(args.context);
  const done = (said: string) => {
    notify(args.context, 'success', said);
    return redirect(supportAddress(place, id));
  };
  const act = formOf(args.context).get('act');
  if (place.tab === 'feedback' && act === 'request') {
    return submit(args, NothingInput, async () => {
      const request = await makeRequestOf(db(), admin, id);
      notify(args.context, 'success', `This is request #${request.number} now`);
      return redirect(supportAddress({ tab: 'support' }, request.id));
    });
  }
  if (place.tab === 'feedback') {
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
