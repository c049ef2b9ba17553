import { redirect } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { PROVIDER_NAMES } from '#app/domain/accounts/limits.ts';
import { findPending, linkPending } from '#app/domain/accounts/oauth/identities.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { press } from '#app/http/forms/submit.ts';
import { signedInOf } from '#app/http/session/session.ts';
import { linkCookie } from '#app/http/session/social-cookies.ts';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { AuthLayout } from '#app/ui/layout/auth-layout.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import type { Route } from './+types/link.ts';

const PAGE = '/auth/link';
const SECURITY = '/app/account/security';

export const meta: Route.MetaFunction = () =>
  pageMeta(
    'Link your sign-in',
    'Decide whether your LinkedIn or Google account may sign you in to Tidepost from now on.',
  );

async function findPendingLink(request: Request) {
  const id = (await linkCookie.read(request))?.pendingId;
  return id === undefined ? undefined : findPending(db(), id);
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const pending = await findPendingLink(request);
  const viewer = context.get(viewerContext);
  if (!pending) throw redirect(viewer ? SECURITY : '/login?failed=link_over');
  const { email, provider } = pending;
  const isOwner = viewer?.actor.userId === pending.userId;
  return { name: PROVIDER_NAMES[provider], email, isOwner, signedInAs: viewer?.actor.email ?? null };
}

export async function action({ request, context }: Route.ActionArgs) {
  const viewer = context.get(viewerContext);
  if (!viewer) throw redirect(PAGE);
  return press({ context }, SECURITY, async () => {
    const id = (await linkCookie.read(request))?.pendingId ?? '00000000-0000-4000-8000-000000000000';
    const provider = await linkPending(db(), signedInOf(context), id);
    setFlash(context, 'success', `${PROVIDER_NAMES[provider]} is linked to your account.`);
    return linkCookie.forget(redirect('/dashboard'));
  });
}

const Email = ({ children }: { children: string }) => (
  <strong className="break-words text-ink">{children}</strong>
);

export default function LinkIdentity({ loaderData }: Route.ComponentProps) {
  const { name, email, isOwner } = loaderData;
  if (!isOwner) return <SignInFirst {...loaderData} />;
  return (
    <AuthLayout
      title={`Sign in with ${name} from now on?`}
      lead={
        <>
          Whoever signs in at {name} as <Email>{email}</Email> will be signed in to this account, too.
        </>
      }
    >
      <ActionForm failure={`Failed to link ${name}`} className="grid gap-3">
        <SubmitButton busyLabel="Linking…">Link {name}</SubmitButton>
        <ButtonLink to="/dashboard" variant="secondary">
          Not now
        </ButtonLink>
      </ActionForm>
    </AuthLayout>
  );
}

type SignInFirstProps = { name: string; email: string; signedInAs: string | null };

const SignInFirst = ({ name, email, signedInAs }: SignInFirstProps) => (
  <AuthLayout
    title="You have an account already"
    lead={
      <>
        There is an account with <Email>{email}</Email>. Sign in to it as you always do. Then you can link{' '}
        {name} to it.
      </>
    }
  >
    {signedInAs === null ? (
      <ButtonLink to={`/login?to=${PAGE}`} className="w-full">
        Sign in to link {name}
      </ButtonLink>
    ) : (
      <ActionForm action="/logout" failure="Failed to sign out">
        <p className="mb-4 text-ink-2">
          You are signed in as <Email>{signedInAs}</Email>, which is another account.
        </p>
        <SubmitButton className="w-full">Sign out</SubmitButton>
      </ActionForm>
    )}
  </AuthLayout>
);
