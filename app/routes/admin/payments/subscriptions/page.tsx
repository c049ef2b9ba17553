import { CreditCard, SearchX } from 'lucide-react';
import { Link } from 'react-router';
import { type Db, db } from '#app/db/client.ts';
import { SEARCH_MAX } from '#app/domain/payments/limits.ts';
import { listAllCurrencies } from '#app/domain/payments/prices.ts';
import {
  findOpenRequest,
  listSubscriptions,
  SubscriptionsQuery,
} from '#app/domain/payments/review/list-pending.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatTimeZone } from '#app/domain/platform/dates.ts';
import { parseListQuery } from '#app/http/forms/query-params.ts';
import { actorAndTime } from '#app/http/session/session.ts';
import { PageLinks } from '#app/routes/admin/payments/page-links.tsx';
import { STATUS_LABELS } from '#app/routes/admin/payments/status-labels.ts';
import { AdminTabs, ledgerOf, SUBSCRIPTIONS } from '#app/routes/admin/tabs.tsx';
import { Badge, type BadgeTone } from '#app/ui/components/badge.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { Filters } from '#app/ui/components/filters.tsx';
import { Address, Table } from '#app/ui/components/table.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { Banner, EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import { Time } from '#app/ui/time.tsx';
import type { Route } from './+types/page.ts';
import tableStyles from './page.css?url';
import { chosenOf, filtersOf, type ListedSubscription, presentSubscription } from './present.ts';

export const meta: Route.MetaFunction = () =>
  pageMeta('Subscriptions', 'Who has which plan, since when and until when.');

export async function loader({ request, context }: Route.LoaderArgs) {
  const { actor, now } = actorAndTime(context);
  const query = new URL(request.url).searchParams;
  return { ...(await loadSubscriptions(db(), actor, query, now)), zone: formatTimeZone(actor.timeZone) };
}

export default function Subscriptions({ loaderData }: Route.ComponentProps) {
  const { plans, openRequest, chosen, filters, isNarrowed, older, newest, zone } = loaderData;
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
      {openRequest && <OpenRequest {...openRequest} />}
      {plans.length > 0 ? (
        <Card className="plans two-rows">
          <Table caption="Everybody’s plans" columns={COLUMNS} rows={plans} keyOf={({ id }) => id} />
        </Card>
      ) : (
        !openRequest && (isNarrowed ? <NoMatch /> : <NoneYet />)
      )}
      <PageLinks
        first={newest}
        firstLabel="Back to the newest"
        next={older}
        nextLabel="Older subscriptions"
      />
    </>
  );
}

type PageData = Route.ComponentProps['loaderData'];

/** The searched reference belongs to a request without a payment. A late payment is recorded on the ledger page. */
const OpenRequest = ({ reference, name, ledger }: NonNullable<PageData['openRequest']>) => (
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

const NoMatch = () => (
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

const NAMES = ['q', 'status', 'currencyCode', 'postsPerDay', 'cursor'] as const;

async function loadSubscriptions(db: Db, actor: Actor, query: URLSearchParams, now: Date) {
  const filter = parseListQuery(SubscriptionsQuery, query, NAMES);
  const [{ rows, nextCursor }, currencies, request] = await Promise.all([
    listSubscriptions(db, filter, now),
    listAllCurrencies(db),
    findOpenRequest(db, filter.q),
  ]);
  const { chosen, search, isNarrowed } = chosenOf(filter);
  const pageAt = (cursor: string | null) =>
    cursor && `${SUBSCRIPTIONS}?${[search, `cursor=${cursor}`].filter(Boolean).join('&')}`;
  return {
    openRequest: request ? { ...request, ledger: ledgerOf(request.userId) } : null,
    plans: rows.map((row) => presentSubscription(row, actor)),
    chosen,
    isNarrowed,
    filters: filtersOf(currencies),
    older: pageAt(nextCursor),
    newest: filter.cursor ? `${SUBSCRIPTIONS}${search && `?${search}`}` : null,
  };
}

type Chosen = ReturnType<typeof chosenOf>['chosen'];
type Offered = ReturnType<typeof filtersOf>;
type FiltersProps = { chosen: Chosen; filters: Offered; isNarrowed: boolean };

const CHOICES = [
  { name: 'status', label: 'State' },
  { name: 'currencyCode', label: 'Currency' },
  { name: 'postsPerDay', label: 'Plan' },
] as const;

const SubscriptionFilters = ({ chosen, filters, isNarrowed }: FiltersProps) => (
  <Filters
    chosen={chosen}
    search={{ maxLength: SEARCH_MAX, placeholder: 'Name, email, reference or ID' }}
    choices={CHOICES.map(({ name, label }) => ({ name, label, options: filters[name] }))}
    clearTo={isNarrowed ? SUBSCRIPTIONS : null}
  />
);

const TONES: Record<ListedSubscription['status'], BadgeTone> = {
  pending: 'warning',
  active: 'success',
  expired: 'neutral',
  cancelled: 'neutral',
  rejected: 'danger',
};

const PayerCell = ({ payer, email, ledger }: ListedSubscription) => (
  <span className="table-lines">
    {ledger ? (
      <Link to={ledger} className="payer-link link font-semibold">
        {payer}
        <span className="sr-only">: ledger</span>
      </Link>
    ) : (
      <span className="text-ink-2">{payer}</span>
    )}
    {email && <Address>{email}</Address>}
  </span>
);

const PlanCell = ({ plan, posts, amount, method }: ListedSubscription) => (
  <span className="table-lines">
    <span className="font-medium whitespace-nowrap">{plan}</span>
    <span className="whitespace-nowrap text-ink-2">{posts}</span>
    <span className="whitespace-nowrap text-ink-3">
      {amount} by {method}
    </span>
  </span>
);

const StateCell = ({ status, isCancelled, rejectReason, period }: ListedSubscription) => (
  <span className="table-lines">
    <Badge tone={TONES[status]}>{STATUS_LABELS[status]}</Badge>
    {period && <span className="text-ink-2">{period}</span>}
    {isCancelled && <span className="text-ink-3">Cancelled: ends then</span>}
    {rejectReason && <span className="text-ink-3">{rejectReason}</span>}
  </span>
);

const IdsCell = ({ reference, transactionId }: ListedSubscription) => (
  <span className="table-lines font-mono">
    <span className="whitespace-nowrap">{reference}</span>
    <span className="number text-ink-3">{transactionId}</span>
  </span>
);

const COLUMNS = [
  { label: 'Payer', cell: PayerCell },
  { label: 'Plan, amount', cell: PlanCell },
  { label: 'State', cell: StateCell },
  { label: 'Reference, transaction', cell: IdsCell },
  { label: 'Submitted', cell: ({ at }: ListedSubscription) => <Time {...at} /> },
];
