import { CreditCard, SearchX } from 'lucide-react';
import { Link } from 'react-router';
import { db } from '#app/db/client.ts';
import { zoneInWords } from '#app/domain/platform/dates.ts';
import { askerOf } from '#app/http/session/session.ts';
import { AdminTabs, SUBSCRIPTIONS } from '#app/routes/admin/tabs.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { Banner, EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import type { Route } from './+types/page.ts';
import { loadSubscriptions } from './load.ts';
import tableStyles from './page.css?url';
import { SubscriptionFilters } from './subscription-filters.tsx';
import { SubscriptionTable } from './table.tsx';

export const meta: Route.MetaFunction = () => [
  { title: 'Subscriptions – Tidepost' },
  { name: 'description', content: 'Who has which plan, since when and until when.' },
];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { actor, now } = askerOf(context);
  const query = new URL(request.url).searchParams;
  return { ...(await loadSubscriptions(db(), actor, query, now)), zone: zoneInWords(actor.timeZone) };
}

export default function Subscriptions({ loaderData }: Route.ComponentProps) {
  const { plans, asked, chosen, filters, isNarrowed, older, newest, zone } = loaderData;
  return (
    <>
      <link rel="stylesheet" href={tableStyles} precedence="page" />
      <PageHeader title="Subscriptions" description={`Everybody’s plans, newest first. ${zone}.`} />
      <AdminTabs current={SUBSCRIPTIONS} />
      {(plans.length > 0 || isNarrowed || newest) && (
        <SubscriptionFilters
          key={JSON.stringify(chosen)}
          chosen={chosen}
          filters={filters}
          isNarrowed={isNarrowed}
        />
      )}
      {asked && <AskedFor asked={asked} />}
      <Found plans={plans} isNarrowed={isNarrowed} isAsked={asked !== null} />
      {(older || newest) && (
        <p className="mt-4 flex flex-wrap gap-x-6">
          {newest && <PageLink to={newest} label="Back to the newest" />}
          {older && <PageLink to={older} label="Older subscriptions" />}
        </p>
      )}
    </>
  );
}

type Shown = Route.ComponentProps['loaderData'];

function Found({ plans, isNarrowed, isAsked }: Pick<Shown, 'plans' | 'isNarrowed'> & { isAsked: boolean }) {
  if (plans.length > 0) return <SubscriptionTable plans={plans} />;
  if (isAsked) return null;
  return isNarrowed ? <NoneOfThese /> : <NoneYet />;
}

/** The reference that was looked for is of a request: what was paid for it is taken in from the ledger. */
const AskedFor = ({ asked: { reference, name, ledger } }: { asked: NonNullable<Shown['asked']> }) => (
  <Banner
    tone="info"
    title={`${reference} has no payment`}
    className="mb-6"
    action={
      <ButtonLink to={ledger} size="sm" variant="secondary">
        Open the ledger
      </ButtonLink>
    }
  >
    {name} was asked to pay with it. If the money is there, take the payment in from their ledger.
  </Banner>
);

const PageLink = ({ to, label }: { to: string; label: string }) => (
  <Link to={to} className="link inline-flex min-h-11 items-center">
    {label}
  </Link>
);

const NoneOfThese = () => (
  <EmptyState
    icon={SearchX}
    title="No such subscriptions"
    text="Names, emails, references and transaction IDs are searched, as they stand. Rejected payments are shown when that state is chosen."
    action={
      <ButtonLink to={SUBSCRIPTIONS} variant="secondary">
        Show all
      </ButtonLink>
    }
  />
);

const NoneYet = () => (
  <EmptyState
    icon={CreditCard}
    title="No subscriptions yet"
    text="Each plan that somebody pays for stands here, from the proof to its end."
  />
);
