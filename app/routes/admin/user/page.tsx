import { data, type ShouldRevalidateFunctionArgs, useSearchParams } from 'react-router';
import { db } from '#app/db/client.ts';
import { zoneInWords } from '#app/domain/platform/dates.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { confirmFirst } from '#app/http/session/require-recent-auth.ts';
import { actorOf, askerOf } from '#app/http/session/session.ts';
import { AdminTabs, USERS } from '#app/routes/admin/tabs.tsx';
import { personAddress } from '#app/routes/admin/users/paths.ts';
import { Badge } from '#app/ui/components/badge.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { Banner, PageHeader } from '#app/ui/layout/page.tsx';
import { onDemand } from '#app/ui/lazy.tsx';
import { knowsDialogs } from '#app/ui/should-revalidate.ts';
import type { Route } from './+types/page.ts';
import { changePerson } from './action.ts';
import { PersonCards } from './cards.tsx';
import { readPerson } from './load.ts';
import styles from './page.css?url';
import { PersonPosts } from './posts.tsx';
import { describePersonPage } from './present.ts';

/** Their scripts come when something is asked. */
const PersonDialogs = onDemand(async () => (await import('./dialogs.tsx')).PersonDialogs);

export const middleware: Route.MiddlewareFunction[] = [confirmFirst];

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData ? `${loaderData.name} – Tidepost` : 'User – Tidepost' },
  {
    name: 'description',
    content: 'An account: its plan, posts and payments, and what an admin can do for it.',
  },
];

const keepsPage = knowsDialogs('dialog');
/** Who is refused because something has changed meanwhile is shown how it is now. */
export const shouldRevalidate = (asked: ShouldRevalidateFunctionArgs) =>
  asked.actionStatus === 409 || keepsPage(asked);

export async function loader({ request, context, params: { id } }: Route.LoaderArgs) {
  const { actor, now } = askerOf(context);
  await PersonDialogs.load();
  const cursor = new URL(request.url).searchParams.get('cursor') || undefined;
  try {
    const page = describePersonPage(await readPerson(db(), actor, { id, cursor }, now), actor);
    return { ...page, zone: zoneInWords(actor.timeZone) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw data(`${error.message}.`, { status: error.status });
  }
}

export const action = ({ request, context, params }: Route.ActionArgs) =>
  changePerson({ request, context, admin: actorOf(context) }, params.id);

type Shown = Route.ComponentProps['loaderData'];

export default function Person({ loaderData, actionData }: Route.ComponentProps) {
  const { name, email, zone, disabled, leaves } = loaderData;
  const isAsked = useSearchParams()[0].has('dialog');
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="page" />
      <PageHeader
        title={name}
        description={`${email}. ${zone}.`}
        badge={<Marks {...loaderData} />}
        actions={<Actions {...loaderData} />}
      />
      <AdminTabs current={USERS} />
      {disabled && (
        <Banner tone="danger" title={`Disabled since ${disabled.since}`} className="mb-6">
          Nothing is written or published, and nobody can sign in. {disabled.reason}
        </Banner>
      )}
      {leaves && (
        <Banner tone="warning" title="This account is being deleted" className="mb-6">
          Everything of it is erased on {leaves}.
        </Banner>
      )}
      <PersonCards {...loaderData} />
      <PersonPosts {...loaderData} />
      {isAsked && <PersonDialogs person={loaderData} result={actionData} />}
    </>
  );
}

const Marks = ({ isAdmin, disabled }: Pick<Shown, 'isAdmin' | 'disabled'>) => (
  <>
    {isAdmin && <Badge tone="brand">Admin</Badge>}
    {disabled && <Badge tone="danger">Disabled</Badge>}
  </>
);

/** What can be done; each asks first. */
const Actions = ({ id, disabled, isOwn, runs }: Shown) => (
  <>
    {runs && (
      <ButtonLink to={personAddress(id, 'extend')} preventScrollReset variant="secondary">
        Extend plan
      </ButtonLink>
    )}
    <ButtonLink to={personAddress(id, 'end-sessions')} preventScrollReset variant="secondary">
      End sessions
    </ButtonLink>
    {!isOwn && (
      <ButtonLink
        to={personAddress(id, disabled ? 'enable' : 'disable')}
        preventScrollReset
        variant={disabled ? 'primary' : 'danger'}
      >
        {disabled ? 'Enable account' : 'Disable account'}
      </ButtonLink>
    )}
  </>
);
