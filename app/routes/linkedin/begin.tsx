import { data } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { findDisabled } from '#app/domain/accounts/lifecycle/disable.ts';
import { findUser } from '#app/domain/accounts/users.ts';
import { readTicket } from '#app/domain/linkedin/connect/tickets.ts';
import { CONNECT_ERRORS } from '#app/domain/linkedin/schema.ts';
import { press } from '#app/http/forms/submit.ts';
import { isOtherUser, redirectToProvider, refuseOtherUser } from '#app/http/oauth/oauth.ts';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { SubmitButton } from '#app/ui/form/button.tsx';
import { AuthLayout } from '#app/ui/layout/auth-layout.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { InlineErrors } from '#app/ui/messages/inline-notices.tsx';
import type { Route } from './+types/begin.ts';
import { maskAddress } from './mask-email.ts';
import { NotConnected } from './not-connected.tsx';

/** The URL is a credential, so it isn't sent to other sites. */
const PRIVATE = { 'Referrer-Policy': 'same-origin', 'X-Robots-Tag': 'noindex, nofollow' };

export const meta: Route.MetaFunction = () =>
  pageMeta('Connect LinkedIn', 'Connect the LinkedIn account to which Tidepost may publish your posts.');
export const headers: Route.HeadersFunction = () => PRIVATE;

async function findAccount(ticket: string) {
  const userId = readTicket(ticket);
  const user = userId === undefined ? undefined : await findUser(db(), userId);
  return user && !(await findDisabled(db(), user.id)) ? { userId: user.id, email: user.email } : undefined;
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  const account = await findAccount(params.ticket);
  const refuse = (status: 400 | 403, why: string, signedInAs: string | null) =>
    data({ account: null, why, signedInAs }, { status, headers: PRIVATE });
  if (!account) return refuse(400, CONNECT_ERRORS.state_invalid, null);
  if (isOtherUser(viewer, account.userId))
    return refuse(403, CONNECT_ERRORS.other_account, viewer!.actor.email);
  return data({ account: maskAddress(account.email), why: '', signedInAs: null }, { headers: PRIVATE });
}

export const action = ({ request, context, params }: Route.ActionArgs) =>
  press({ context }, `/auth/linkedin/connect/${encodeURIComponent(params.ticket)}`, async () => {
    const account = await findAccount(params.ticket);
    if (!account) throw data('This address is over. Ask for another one.', { status: 400 });
    refuseOtherUser(context.get(viewerContext), account.userId);
    const flow = { provider: 'linkedin', intent: 'connect', sessionId: null, target: null } as const;
    return redirectToProvider(request, { ...flow, userId: account.userId, timeZone: null });
  });

export default function Begin({ loaderData: { account, why, signedInAs } }: Route.ComponentProps) {
  if (!account) return <NotConnected why={why} signedInAs={signedInAs} />;
  return (
    <AuthLayout
      title="Connect LinkedIn"
      lead={
        <>
          A program asks to connect your LinkedIn profile to the Tidepost account{' '}
          <strong className="break-words text-ink">{account}</strong>. Go on only if this account is yours.
        </>
      }
    >
      <InlineErrors isHere={(at) => at === 'page'} className="mb-4" />
      <ActionForm failure="Failed to initiate LinkedIn connection">
        <SubmitButton className="w-full" busyLabel="Opening LinkedIn…">
          Go on to LinkedIn
        </SubmitButton>
      </ActionForm>
    </AuthLayout>
  );
}
