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
import { actorAndTime } from '#app/http/session/session.ts';
import { STATUS_WORDS } from '#app/routes/admin/payments/status-labels.ts';
import { AdminTabs, ledgerOf, SUBSCRIPTIONS } from '#app/routes/admin/tabs.tsx';
import { Badge, type BadgeTone } from '#app/ui/components/badge.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { Filters } from '#app/ui/components/filters.tsx';
import { Address, Table } from '#app/ui/components/table.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { Banner, EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import { Time } from '#app/ui/time.tsx';
import type { Route } from './+types/page.ts';
import tableStyles from './page.css?url';
import { chosenOf, filtersOf, type ListedSubscription, presentSubscription } from './present.ts';

export const meta: Route.MetaFunction = () => [
  { title: 'Subscriptions – Tidepost' },
  { name: 'description', content: 'Who has which plan, since when and until when.' },
];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { actor, now } = actorAndTime(context);
  const query = new URL(request.url).searchParams;
  return { ...(await loadSubscriptions(db(), actor, query, now)), zone: formatTimeZone(actor.timeZone) };
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
      {asked && <OpenRequest asked={asked} />}
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

type PageData = Route.ComponentProps['loaderData'];

function Found({
  plans,
  isNarrowed,
  isAsked,
}: Pick<PageData, 'plans' | 'isNarrowed'> & { isAsked: boolean }) {
  if (plans.length > 0) return <SubscriptionTable plans={plans} />;
  if (isAsked) return null;
  return isNarrowed ? <NoneOfThese /> : <NoneYet />;
}

/** The reference that was looked for is of a request: what was paid for it is taken in from the ledger. */
const OpenRequest = ({ asked: { reference, name, ledger } }: { asked: NonNullable<PageData['asked']> }) => (
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

const NAMES = ['q', 'status', 'currencyCode', 'postsPerDay', 'cursor'] as const;

/** What an address asks for. What of it is not possible is left out, as if it had not been chosen. */
function queryOf(query: URLSearchParams): SubscriptionsQuery {
  const asked = NAMES.flatMap((name) => {
    const value = query.get(name) || undefined;
    return value && SubscriptionsQuery.safeParse({ [name]: value }).success ? [[name, value]] : [];
  });
  return SubscriptionsQuery.parse(Object.fromEntries(asked));
}

/** A page of everybody's plans, with what they can be narrowed to. */
async function loadSubscriptions(db: Db, actor: Actor, query: URLSearchParams, now: Date) {
  const asked = queryOf(query);
  const [{ rows, nextCursor }, currencies, found] = await Promise.all([
    listSubscriptions(db, asked, now),
    listAllCurrencies(db),
    findOpenRequest(db, asked.q),
  ]);
  const { chosen, search, isNarrowed } = chosenOf(asked);
  const pageAt = (cursor: string | null) =>
    cursor && `${SUBSCRIPTIONS}?${[search, `cursor=${cursor}`].filter(Boolean).join('&')}`;
  return {
    asked: found ? { ...found, ledger: ledgerOf(found.userId) } : null,
    plans: rows.map((row) => presentSubscription(row, actor)),
    chosen,
    isNarrowed,
    filters: filtersOf(currencies),
    older: pageAt(nextCursor),
    newest: asked.cursor ? `${SUBSCRIPTIONS}${search && `?${search}`}` : null,
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

const Plan = ({ plan, posts, amount, method }: ListedSubscription) => (
  <span className="table-lines">
    <span className="font-medium whitespace-nowrap">{plan}</span>
    <span className="whitespace-nowrap text-ink-2">{posts}</span>
    <span className="whitespace-nowrap text-ink-3">
      {amount} by {method}
    </span>
  </span>
);

const State = ({ status, isCancelled, rejectReason, period }: ListedSubscription) => (
  <span className="table-lines">
    <Badge tone={TONES[status]}>{STATUS_WORDS[status]}</Badge>
    {period && <span className="text-ink-2">{period}</span>}
    {isCancelled && <span className="text-ink-3">Cancelled: ends then</span>}
    {rejectReason && <span className="text-ink-3">{rejectReason}</span>}
  </span>
);

const Ids = ({ reference, transactionId }: ListedSubscription) => (
  <span className="table-lines font-mono">
    <span className="whitespace-nowrap">{reference}</span>
    <span className="number text-ink-3">{transactionId}</span>
  </span>
);

const COLUMNS = [
  { label: 'Payer', cell: PayerCell },
  { label: 'Plan, amount', cell: Plan },
  { label: 'State', cell: State },
  { label: 'Reference, transaction', cell: Ids },
  { label: 'Submitted', cell: ({ at }: ListedSubscription) => <Time {...at} /> },
];

const SubscriptionTable = ({ plans }: { plans: ListedSubscription[] }) => (
  <Card className="plans two-rows">
    <Table caption="Everybody’s plans" columns={COLUMNS} rows={plans} keyOf={({ id }) => id} />
  </Card>
);
