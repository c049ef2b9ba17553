import { data, redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { formatInMail } from '#app/domain/platform/dates.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { addRequesterReply } from '#app/domain/support/reply.ts';
import { TicketReply } from '#app/domain/support/schema.ts';
import { withReplies } from '#app/domain/support/thread.ts';
import { openThread } from '#app/domain/support/thread-links.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { PRIVATE_HEADERS } from '#app/http/private-headers.ts';
import { limit } from '#app/http/rate-limit.ts';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { AuthLayout } from '#app/ui/layout/auth-layout.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { TicketBadge } from '#app/ui/post/status-badges.tsx';
import type { Route } from './+types/mailed-thread-page.ts';
import { presentThread } from './present.ts';
import { ThreadView } from './thread.tsx';

export const meta: Route.MetaFunction = () => [
  ...pageMeta('Your request', 'What you asked Tidepost, what we answered, and room to write again.'),
  { name: 'robots', content: 'noindex, nofollow' },
];

export const headers: Route.HeadersFunction = () => PRIVATE_HEADERS;

const LONGEST_KEY = 300;
const keyOf = (url: URL) => (url.searchParams.get('key') ?? '').slice(0, LONGEST_KEY);
const addressOf = (id: string, key: string) =>
  `/support/${encodeURIComponent(id)}?${new URLSearchParams({ key })}`;

/** Without a session the time zone of the user is unknown. */
const ZONE = 'UTC';

/** Changes nothing, because scanners of mail follow links. */
export async function loader({ url, params }: Route.LoaderArgs) {
  const key = keyOf(url);
  try {
    const { until, ...ticket } = await openThread(db(), params.id, key, databaseNow());
    const thread = presentThread(await withReplies(db(), ticket), ZONE);
    const page = { thread, error: null, until: formatInMail(until, ZONE), action: addressOf(ticket.id, key) };
    return data(page, { headers: PRIVATE_HEADERS });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'sign_in_first')
      throw redirect(`/app/support/${params.id}`, { headers: PRIVATE_HEADERS });
    return data({ thread: null, error: error.message }, { status: error.status, headers: PRIVATE_HEADERS });
  }
}

/** The link alone authorises the request. It does not sign the user in. */
export const action = ({ request, url, context, params }: Route.ActionArgs) =>
  submit({ context }, TicketReply, async ({ message }) => {
    await limit(request, 'by-mail', params.id);
    const { id } = await openThread(db(), params.id, keyOf(url), databaseNow());
    await addRequesterReply(db(), { ticketId: id, message });
    setFlash(context, 'success', 'Your message was sent. We reply by mail, and here.');
    return redirect(addressOf(id, keyOf(url)));
  });

export default function ThreadByMail({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData.thread) {
    return (
      <AuthLayout title="This request can’t be opened" lead={`${loaderData.error}.`}>
        <ButtonLink to="/help" reloadDocument>
          Get Support
        </ButtonLink>
      </AuthLayout>
    );
  }
  const { thread, action, until } = loaderData;
  const lead = (
    <span className="flex flex-wrap items-center gap-2">
      #{thread.number} · {thread.category}
      <TicketBadge status={thread.status} />
    </span>
  );
  return (
    <AuthLayout title={thread.subject} lead={lead} isWide>
      <ThreadView thread={thread} action={action} result={actionData} />
      <p className="mt-4 text-sm text-ink-3 text-pretty">
        Times in UTC. This link is for this request alone and works until {until}. Whoever has it can read and
        write here, so please do not pass it on.
      </p>
    </AuthLayout>
  );
}
