import { SEARCH_MAX } from '#app/domain/payments/limits.ts';
import { SUBSCRIPTIONS } from '#app/routes/admin/tabs.tsx';
import { Filters } from '#app/ui/components/filters.tsx';
import type { chosenOf, filtersOf } from './present.ts';

type Chosen = ReturnType<typeof chosenOf>['chosen'];
type Offered = ReturnType<typeof filtersOf>;
type FiltersProps = { chosen: Chosen; filters: Offered; isNarrowed: boolean };

const CHOICES = [
  { name: 'status', label: 'State' },
  { name: 'currencyCode', label: 'Currency' },
  { name: 'postsPerDay', label: 'Plan' },
] as const;

export const SubscriptionFilters = ({ chosen, filters, isNarrowed }: FiltersProps) => (
  <Filters
    chosen={chosen}
    search={{ maxLength: SEARCH_MAX, placeholder: 'Name, email, reference or ID' }}
    choices={CHOICES.map(({ name, label }) => ({ name, label, options: filters[name] }))}
    clearTo={isNarrowed ? SUBSCRIPTIONS : null}
  />
);
