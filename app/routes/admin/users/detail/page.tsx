import { data, redirect, type ShouldRevalidateFunctionArgs, useSearchParams } from 'react-router';
import { db } from '#app/db/client.ts';
import { DisableInput, EmptyInput } from '#app/domain/accounts/schema.ts';
import { endSessionsFor } from '#app/domain/accounts/sign-in/session-list.ts';
import { disableAccount, enableAccount } from '#app/domain/operations/disable-account.ts';
import { getListedUser } from '#app/domain/operations/users.ts';
import { ExtendInput } from '#app/domain/payments/schema.ts';
import { extendPlan } from '#app/domain/payments/subscription/extend.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatTimeZone } from '#app/domain/platform/dates.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { verbOf } from '#app/http/route-verb.ts';
import { requireRecentAuth } from '#app/http/session/require-recent-auth.ts';
import { actorAndTime, actorOf } from '#app/http/session/session.ts';
import { AdminTabs, USERS } from '#app/routes/admin/tabs.tsx';
import { type UserDialog, userAddress } from '#app/routes/admin/users/paths.ts';
import { PostLines } from '#app/routes/admin/users/post-list.tsx';
import { Badge } from '#app/ui/components/badge.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { Banner, PageHeader } from '#app/ui/layout/page.tsx';
import { onDemand } from '#app/ui/lazy.tsx';
import { ignoreDialogParams } from '#app/ui/should-revalidate.ts';
import { Time } from '#app/ui/time.tsx';
import type { Route } from './+types/page.ts';
import { UserCards } from './cards.tsx';
import { loadUser } from './load.ts';
import styles from './page.css?url';
import { type PresentedUserPage, presentUserPage } from './present.ts';

const UserDialogs = onDemand(async () => (await import('./dialogs.tsx')).UserDialogs);

export const middleware: Route.MiddlewareFunction[] = [requireRecentAuth];

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData ? `${loaderData.name} – Tidepost` : 'User – Tidepost' },
  {
    name: 'description',
    content: 'An account: its plan, posts and payments, and what an admin can do for it.',
  },
];

const revalidatesDialogs = ignoreDialogParams('dialog');
/** A 409 means that the account has changed meanwhile, so the page is loaded again. */
export const shouldRevalidate = (args: ShouldRevalidateFunctionArgs) =>
  args.actionStatus === 409 || revalidatesDialogs(args);

export async function loader({ request, context, params: { id } }: Route.LoaderArgs) {
  const { actor, now } = actorAndTime(context);
  await UserDialogs.load();
  const cursor = new URL(request.url).searchParams.get('cursor') || undefined;
  try {
    const page = presentUserPage(await loadUser(db(), actor, { id, cursor }, now), actor);
    return { ...page, zone: formatTimeZone(actor.timeZone) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw data(`${error.message}.`, { status: error.status });
  }
}

export const action = ({ request, context, params }: Route.ActionArgs) =>
  changeUser({ request, context, admin: actorOf(context) }, params.id);

export default function UserPage({ loaderData, actionData }: Route.ComponentProps) {
  const { name, email, zone, isAdmin, disabled, deletesAt } = loaderData;
  const isDialogOpen = useSearchParams()[0].has('dialog');
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="page" />
      <PageHeader
        title={name}
        description={`${email}. ${zone}.`}
        badge={
          <>
            {isAdmin && <Badge tone="brand">Admin</Badge>}
            {disabled && <Badge tone="danger">Disabled</Badge>}
          </>
        }
        actions={<Actions {...loaderData} />}
      />
      <AdminTabs current={USERS} />
      {disabled && (
        <Banner tone="danger" title={`Disabled since ${disabled.since}`} className="mb-6">
          Nothing is written or published, and nobody can sign in. {disabled.reason}
        </Banner>
      )}
      {deletesAt && (
        <Banner tone="warning" title="This account is being deleted" className="mb-6">
          Everything of it is erased on {deletesAt}.
        </Banner>
      )}
      <UserCards {...loaderData} />
      <UserPosts {...loaderData} />
      {isDialogOpen && <UserDialogs user={loaderData} result={actionData} />}
    </>
  );
}

const Actions = ({ id, disabled, isOwn, activePlan }: PresentedUserPage) => (
  <>
    {activePlan && (
      <ButtonLink to={userAddress(id, 'extend')} preventScrollReset variant="secondary">
        Extend plan
      </ButtonLink>
    )}
    <ButtonLink to={userAddress(id, 'end-sessions')} preventScrollReset variant="secondary">
      End sessions
    </ButtonLink>
    {!isOwn && (
      <ButtonLink
        to={userAddress(id, disabled ? 'enable' : 'disable')}
        preventScrollReset
        variant={disabled ? 'primary' : 'danger'}
      >
        {disabled ? 'Enable account' : 'Disable account'}
      </ButtonLink>
    )}
  </>
);

type Args = Pick<Route.ActionArgs, 'request' | 'context'> & { admin: Actor };

function done({ context }: Args, userId: string, message: string) {
  setFlash(context, 'success', message);
  return redirect(userAddress(userId));
}

const endSessions = (args: Args, userId: string) =>
  submit(args, EmptyInput, async () => {
    await getListedUser(db(), userId);
    await endSessionsFor(db(), args.admin, userId);
    return done(args, userId, 'All sessions and tokens were ended');
  });

const disable = (args: Args, userId: string) =>
  submit(args, DisableInput, async ({ reason }) => {
    await disableAccount(db(), args.admin, { userId, reason });
    return done(args, userId, 'Account disabled');
  });

const enable = (args: Args, userId: string) =>
  submit(args, EmptyInput, async () => {
    await enableAccount(db(), args.admin, userId);
    return done(args, userId, 'Account enabled');
  });

const extend = (args: Args, userId: string) =>
  submit(args, ExtendInput, async (input) => {
    await extendPlan(db(), args.admin, { ...input, userId });
    return done(args, userId, 'Plan extended');
  });

const ACTIONS: Record<UserDialog, typeof disable> = {
  'end-sessions': endSessions,
  disable,
  enable,
  extend,
};

const changeUser = (args: Args, userId: string) =>
  verbOf(ACTIONS, new URL(args.request.url).searchParams.get('dialog') ?? '')(args, userId);

const UserPosts = ({ id, queue, posts, attempts, nextPosts, isLater }: PresentedUserPage) => (
  <div className="mt-4 grid gap-4">
    <Card title="Queue">
      {queue.length > 0 ? <PostLines lines={queue} /> : <p className="text-ink-3">Nothing waits.</p>}
    </Card>
    <Card id="posts" title="Posts">
      {posts.length > 0 ? <PostLines lines={posts} /> : <p className="text-ink-3">No posts yet.</p>}
      {(nextPosts || isLater) && (
        <nav aria-label="Pages of posts" className="mt-3 flex flex-wrap gap-3">
          {isLater && (
            <ButtonLink to={`${userAddress(id)}#posts`} size="sm" variant="secondary">
              Back to the newest
            </ButtonLink>
          )}
          {nextPosts && (
            <ButtonLink to={`${userAddress(id)}?cursor=${nextPosts}#posts`} size="sm" variant="secondary">
              Earlier ones
            </ButtonLink>
          )}
        </nav>
      )}
    </Card>
    <Card title="Attempts" description="Of the posts above, what was sent to LinkedIn and what it answered.">
      {attempts.length > 0 ? <Attempts attempts={attempts} /> : <p className="text-ink-3">None yet.</p>}
    </Card>
  </div>
);

const Attempts = ({ attempts }: Pick<PresentedUserPage, 'attempts'>) => (
  <ul className="post-lines">
    {attempts.flatMap(({ post, attempts: ofPost }) =>
      ofPost.map(({ id, iso, at, sent, answer, next }) => (
        <li key={id} className="post-line">
          <Time iso={iso} text={at} className="text-ink-3" />
          <span>{sent}</span>
          <span className="min-w-0">
            {post.text}
            <span className="block text-ink-2">
              {[answer ?? 'No answer yet.', next].filter(Boolean).join(' ')}
            </span>
          </span>
        </li>
      )),
    )}
  </ul>
);
