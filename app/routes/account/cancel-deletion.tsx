import { data, redirect } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { openCancelLink } from '#app/domain/account-deletion/cancel-link.ts';
import { cancelDeletion } from '#app/domain/account-deletion/request.ts';
import { findUser } from '#app/domain/accounts/users.ts';
import { formatInMail } from '#app/domain/platform/dates.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { press } from '#app/http/forms/submit.ts';
import { PRIVATE_HEADERS } from '#app/http/private-headers.ts';
import { limit } from '#app/http/rate-limit.ts';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { AuthLayout } from '#app/ui/layout/auth-layout.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { InlineErrors } from '#app/ui/messages/inline-notices.tsx';
import type { Route } from './+types/cancel-deletion.ts';

const PAGE = '/keep-account';
const DONE = `${PAGE}?state=kept`;

export const meta: Route.MetaFunction = () => [
  ...pageMeta(
    'Keep your account',
    'Keep the Tidepost account that was to be deleted, with everything in it.',
  ),
  { name: 'robots', content: 'noindex, nofollow' },
];

export const headers: Route.HeadersFunction = () => PRIVATE_HEADERS;

const keyOf = (request: Request) => new URL(request.url).searchParams.get('key') ?? '';

type PageData = { state: 'kept' | 'pending' | 'invalid'; lead: string };

async function load(request: Request): Promise<PageData & { status: number }> {
  if (new URL(request.url).searchParams.get('state') === 'kept') {
    const lead = 'Nothing is deleted, and writing and publishing go on. Programs need new API tokens.';
    return { state: 'kept', lead, status: 200 };
  }
  try {
    const { eraseAt, userId } = await openCancelLink(db(), keyOf(request));
    const { timeZone } = await findUser(db(), userId);
    const lead = `It will be deleted on ${formatInMail(eraseAt, timeZone)}. Until then you can keep it.`;
    return { state: 'pending', lead, status: 200 };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { state: 'invalid', lead: `${error.message}.`, status: error.status };
  }
}

/** Changes nothing, because scanners of mail follow links. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { status, ...page } = await load(request);
  const home = context.get(viewerContext) ? '/app' : '/login';
  return data({ ...page, home }, { status, headers: PRIVATE_HEADERS });
}

export const action = ({ request, context }: Route.ActionArgs) => {
  const key = keyOf(request);
  return press({ context }, `${PAGE}?${new URLSearchParams({ key })}`, async () => {
    await limit(request, 'by-mail', key.slice(0, 36));
    const { userId } = await openCancelLink(db(), key);
    await cancelDeletion(db(), userId);
    return redirect(DONE);
  });
};

const TITLES = {
  kept: 'Your account stays',
  pending: 'Keep your account?',
  invalid: 'There is nothing to undo here',
};

export default function KeepAccount({ loaderData: { state, lead, home } }: Route.ComponentProps) {
  return (
    <AuthLayout title={TITLES[state]} lead={lead}>
      <InlineErrors isHere={(at) => at === 'page'} />
      {state === 'pending' ? (
        <ActionForm failure="Failed to keep the account">
          <SubmitButton className="w-full" busyLabel="Keeping…">
            Keep my account
          </SubmitButton>
        </ActionForm>
      ) : (
        <ButtonLink to={home} className="w-full">
          {home === '/login' ? 'Sign in' : 'Open Tidepost'}
        </ButtonLink>
      )}
    </AuthLayout>
  );
}
