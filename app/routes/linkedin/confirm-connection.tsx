import { data, redirect } from 'react-router';
import { z } from 'zod';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { declinePublishing } from '#app/domain/accounts/oauth/identities.ts';
import { findUser } from '#app/domain/accounts/users.ts';
import {
  acceptPendingConnection,
  declinePendingConnection,
  findPendingConnection,
} from '#app/domain/linkedin/connect/pending.ts';
import { CONNECT_ERRORS, connectErrorText } from '#app/domain/linkedin/schema.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { isOtherUser, refuseOtherUser } from '#app/http/oauth/oauth.ts';
import { refusalCodeOf } from '#app/http/refusal-code.ts';
import { offerCookie } from '#app/http/session/social-cookies.ts';
import { Avatar } from '#app/ui/components/avatar.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { AuthLayout } from '#app/ui/layout/auth-layout.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import type { Route } from './+types/confirm-connection.ts';
import { maskAddress } from './mask-email.ts';
import { NotConnected } from './not-connected.tsx';

const PAGE = '/auth/linkedin/publish';

export const meta: Route.MetaFunction = () =>
  pageMeta(
    'Publish on LinkedIn',
    'Decide whether Tidepost may publish your posts on the LinkedIn account that you signed in with.',
  );

async function findOwnConnection({ request, context }: Pick<Route.LoaderArgs, 'request' | 'context'>) {
  const offerId = (await offerCookie.read(request))?.offerId;
  const offer = offerId === undefined ? undefined : await findPendingConnection(db(), offerId);
  if (!offerId || !offer) return undefined;
  const viewer = context.get(viewerContext);
  return { ...offer, offerId, isOwn: viewer?.actor.userId === offer.userId };
}

/** The results for a user who is signed out, or signed in as another user. */
const DONE_STATES = new Set(['connected', 'declined']);

export async function loader(args: Route.LoaderArgs) {
  const state = new URL(args.request.url).searchParams.get('state') ?? '';
  if (DONE_STATES.has(state)) return { kind: 'done', isConnected: state === 'connected' } as const;
  const pending = await findOwnConnection(args);
  if (!pending) {
    const why = connectErrorText(state || 'state_invalid');
    return data({ kind: 'over', why, signedInAs: null } as const, { status: 400 });
  }
  const viewer = args.context.get(viewerContext);
  if (isOtherUser(viewer, pending.userId)) {
    const signedInAs = viewer!.actor.email;
    return data({ kind: 'over', why: CONNECT_ERRORS.other_account, signedInAs } as const, { status: 403 });
  }
  const { name, email, picture, isOwn, userId } = pending;
  const account = isOwn ? '' : maskAddress((await findUser(db(), userId)).email);
  return { kind: 'asks', profile: { name, email, picture }, isOwn, account } as const;
}

const AnswerForm = z.object({ answer: z.enum(['yes', 'no']) });

export async function action({ request, context }: Route.ActionArgs) {
  return submit({ context }, AnswerForm, async ({ answer }) => {
    const pending = await findOwnConnection({ request, context });
    if (!pending) return offerCookie.forget(redirect(PAGE));
    const { offerId, isOwn, userId } = pending;
    refuseOtherUser(context.get(viewerContext), userId);
    if (answer === 'no') {
      await declinePendingConnection(db(), offerId);
      if (isOwn) await declinePublishing(db(), userId);
      return offerCookie.forget(redirect(isOwn ? '/dashboard' : `${PAGE}?state=declined`));
    }
    const error = await refusalCodeOf(acceptPendingConnection(db(), offerId));
    if (!isOwn) return offerCookie.forget(redirect(`${PAGE}?state=${error ?? 'connected'}`));
    if (error) return offerCookie.forget(redirect(`/app/linkedin?error=${error}`));
    setFlash(context, 'success', 'LinkedIn account connected successfully!');
    return offerCookie.forget(redirect('/dashboard'));
  });
}

export default function ConfirmConnection({ loaderData: state }: Route.ComponentProps) {
  if (state.kind === 'asks') return <ConfirmForm {...state} />;
  if (state.kind === 'over') return <NotConnected why={state.why} signedInAs={state.signedInAs} />;
  return (
    <AuthLayout
      title={state.isConnected ? 'Done' : 'Nothing was connected'}
      lead={`${state.isConnected ? 'LinkedIn is connected. ' : ''}You can close this window.`}
    >
      <ButtonLink to="/dashboard" variant="secondary">
        Go to Tidepost
      </ButtonLink>
    </AuthLayout>
  );
}

type ConfirmFormProps = {
  profile: { name: string; email: string | null; picture: string | null };
  isOwn: boolean;
  account: string;
};

const ConfirmForm = ({ profile: { name, email, picture }, isOwn, account }: ConfirmFormProps) => (
  <AuthLayout
    title={isOwn ? 'Also publish for you?' : 'Connect this profile?'}
    lead={
      isOwn ? (
        'LinkedIn lets Tidepost publish on this profile. It does so only if you say yes, and you can end it at any time.'
      ) : (
        <>
          Posts of the Tidepost account <strong className="break-words text-ink">{account}</strong> would be
          published on this profile. Go on only if this account is yours.
        </>
      )
    }
  >
    <div className="mb-6 flex items-center gap-4">
      <Avatar name={name} picture={picture} className="size-12 font-display" />
      <div className="min-w-0">
        <p className="font-semibold break-words">{name || 'LinkedIn member'}</p>
        {email && <p className="break-words text-ink-2">{email}</p>}
      </div>
    </div>
    <ActionForm failure="Failed to connect LinkedIn account" className="grid gap-3">
      <SubmitButton name="answer" value="yes" busyLabel="Connecting…">
        {isOwn ? 'Yes, publish for me' : 'Connect'}
      </SubmitButton>
      {isOwn ? (
        <SubmitButton name="answer" value="no" variant="secondary">
          Not now
        </SubmitButton>
      ) : (
        <ButtonLink to={`${PAGE}?state=declined`} variant="secondary">
          No
        </ButtonLink>
      )}
    </ActionForm>
  </AuthLayout>
);
