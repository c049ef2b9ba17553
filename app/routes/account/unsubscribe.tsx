import { data, type MiddlewareFunction } from 'react-router';
import { db } from '#app/db/client.ts';
import { openUnsubscribe, type Unsubscribe, unsubscribe } from '#app/domain/accounts/unsubscribe.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { flashMiddleware } from '#app/http/forms/flash.ts';
import { formMiddleware } from '#app/http/forms/read-form.ts';
import { PRIVATE_HEADERS } from '#app/http/private-headers.ts';
import { limit } from '#app/http/rate-limit.ts';
import { mailLabel } from '#app/routes/account/emails/labels.ts';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { AuthLayout } from '#app/ui/layout/auth-layout.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import type { Route } from './+types/unsubscribe.ts';

/**
 * Mail programs post here (RFC 8058) without an Origin and without cookies. No session is read: only the signed link
 * authorises the request, so a form of another site can do nothing with the cookies of a visitor.
 */
export const middleware: MiddlewareFunction<Response>[] = [flashMiddleware, formMiddleware];

export const meta: Route.MetaFunction = () => [
  ...pageMeta('Emails', 'Choose which mails Tidepost sends you, without signing in.'),
  { name: 'robots', content: 'noindex, nofollow' },
];

export const headers: Route.HeadersFunction = ({ errorHeaders, actionHeaders }) => ({
  ...PRIVATE_HEADERS,
  ...Object.fromEntries(errorHeaders ?? actionHeaders),
});

const LONGEST_PARAMETER = 300;

function linkOf(request: Request): Unsubscribe {
  const query = new URL(request.url).searchParams;
  const read = (name: string) => (query.get(name) ?? '').slice(0, LONGEST_PARAMETER);
  return { from: read('from'), key: read('key') };
}

type PageData = { label: string; error: string };

async function respond(find: () => Promise<{ choice: Parameters<typeof mailLabel>[0] }>) {
  try {
    const { choice } = await find();
    return data<PageData>({ label: mailLabel(choice), error: '' }, { headers: PRIVATE_HEADERS });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { message, status, retryAfter } = error;
    const headers = { ...PRIVATE_HEADERS, ...(retryAfter && { 'Retry-After': String(retryAfter) }) };
    return data<PageData>({ label: '', error: message }, { status, headers });
  }
}

export const loader = ({ request }: Route.LoaderArgs) =>
  respond(() => openUnsubscribe(db(), linkOf(request)));

export const action = ({ request }: Route.ActionArgs) =>
  respond(async () => {
    const link = linkOf(request);
    await limit(request, 'by-mail', link.key);
    return { choice: await unsubscribe(db(), link) };
  });

export default function Unsubscribed({ loaderData, actionData }: Route.ComponentProps) {
  const { label, error } = actionData ?? loaderData;
  if (error)
    return <Result title="This link ends no emails" lead={`${error}. Sign in to choose your emails.`} />;
  if (actionData) {
    return <Result title="These emails have ended" lead={`“${label}” is not mailed to you any more.`} />;
  }
  return (
    <AuthLayout title="Stop these emails?" lead={`“${label}” will not be mailed to you any more.`}>
      <div className="flex flex-wrap gap-3">
        <ActionForm failure="Failed to stop the emails" fields={{ 'List-Unsubscribe': 'One-Click' }}>
          <SubmitButton busyLabel="Stopping…">Stop these emails</SubmitButton>
        </ActionForm>
        <ChooseEmailsLink />
      </div>
    </AuthLayout>
  );
}

const ChooseEmailsLink = () => (
  <ButtonLink to="/app/account/emails" variant="secondary">
    Choose all your emails
  </ButtonLink>
);

const Result = (props: { title: string; lead: string }) => (
  <AuthLayout {...props}>
    <ChooseEmailsLink />
  </AuthLayout>
);
