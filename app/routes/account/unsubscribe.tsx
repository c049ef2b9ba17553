import { data, type MiddlewareFunction } from 'react-router';
import { db } from '#app/db/client.ts';
import { openUnsubscribe, type Unsubscribe, unsubscribe } from '#app/domain/accounts/unsubscribe.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { flashMiddleware } from '#app/http/forms/flash.ts';
import { formMiddleware } from '#app/http/forms/read-form.ts';
import { limit } from '#app/http/rate-limit.ts';
import { wordsOf } from '#app/routes/account/emails/labels.ts';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { AuthLayout } from '#app/ui/layout/auth-layout.tsx';
import type { Route } from './+types/unsubscribe.ts';

/**
 * A mail program posts here by itself (RFC 8058), without an Origin and without cookies. The link alone counts: nobody is
 * looked up by a cookie, so a foreign form has nothing of anybody's to use.
 */
export const middleware: MiddlewareFunction<Response>[] = [flashMiddleware, formMiddleware];

/** The address is a key, so no other site is told it. A form that says nothing of where it comes from is refused. */
const PRIVATE = { 'Referrer-Policy': 'same-origin', 'X-Robots-Tag': 'noindex, nofollow' };

export const meta: Route.MetaFunction = () => [
  { title: 'Emails – Tidepost' },
  { name: 'description', content: 'Choose which mails Tidepost sends you, without signing in.' },
  { name: 'robots', content: 'noindex, nofollow' },
];

export const headers: Route.HeadersFunction = ({ errorHeaders, actionHeaders }) => ({
  ...PRIVATE,
  ...Object.fromEntries(errorHeaders ?? actionHeaders),
});

const LONGEST = 300;

function linkOf(request: Request): Unsubscribe {
  const query = new URL(request.url).searchParams;
  const read = (name: string) => (query.get(name) ?? '').slice(0, LONGEST);
  return { from: read('from'), key: read('key') };
}

type Choice = { label: string; why: string };

/** What a link ends, or why it ends nothing. */
async function answer(find: () => Promise<{ choice: Parameters<typeof wordsOf>[0] }>) {
  try {
    const { choice } = await find();
    return data<Choice>({ label: wordsOf(choice).label, why: '' }, { headers: PRIVATE });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { message, status, retryAfter } = error;
    const headers = { ...PRIVATE, ...(retryAfter && { 'Retry-After': String(retryAfter) }) };
    return data<Choice>({ label: '', why: message }, { status, headers });
  }
}

export const loader = ({ request }: Route.LoaderArgs) => answer(() => openUnsubscribe(db(), linkOf(request)));

export const action = ({ request }: Route.ActionArgs) =>
  answer(async () => {
    const link = linkOf(request);
    await limit(request, 'by-mail', link.key);
    return { choice: await unsubscribe(db(), link) };
  });

export default function Unsubscribed({ loaderData, actionData }: Route.ComponentProps) {
  const { label, why } = actionData ?? loaderData;
  if (why) return <Closed title="This link ends no emails" lead={`${why}. Sign in to choose your emails.`} />;
  if (actionData) {
    return <Closed title="These emails have ended" lead={`“${label}” is not mailed to you any more.`} />;
  }
  return (
    <AuthLayout title="Stop these emails?" lead={`“${label}” will not be mailed to you any more.`}>
      <div className="flex flex-wrap gap-3">
        <ActionForm failure="Failed to stop the emails" fields={{ 'List-Unsubscribe': 'One-Click' }}>
          <SubmitButton busyLabel="Stopping…">Stop these emails</SubmitButton>
        </ActionForm>
        <Choose />
      </div>
    </AuthLayout>
  );
}

const Choose = () => (
  <ButtonLink to="/app/account/emails" variant="secondary">
    Choose all your emails
  </ButtonLink>
);

const Closed = (words: { title: string; lead: string }) => (
  <AuthLayout {...words}>
    <Choose />
  </AuthLayout>
);
