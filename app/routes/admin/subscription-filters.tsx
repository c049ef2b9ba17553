import { Form } from 'react-router';
import { SEARCH_MAX } from '#app/domain/payments/limits.ts';
import { ButtonLink, SubmitButton } from '#app/ui/button.tsx';
import { SUBSCRIPTIONS } from './admin-tabs.tsx';
import type { chosenOf, filtersOf } from './describe-subscriptions.ts';

type Chosen = ReturnType<typeof chosenOf>['chosen'];
type Filters = ReturnType<typeof filtersOf>;
type FiltersProps = { chosen: Chosen; filters: Filters; isNarrowed: boolean };

const CHOICES = [
  { name: 'status', label: 'State' },
  { name: 'currencyCode', label: 'Currency' },
  { name: 'postsPerDay', label: 'Plan' },
] as const;

/** A GET form: the address carries what was chosen. */
export const SubscriptionFilters = ({ chosen, filters, isNarrowed }: FiltersProps) => (
  <Form role="search" className="filters">
    <label className="field filters-wide">
      <span className="field-label">Search</span>
      <input
        type="search"
        name="q"
        defaultValue={chosen.q}
        maxLength={SEARCH_MAX}
        placeholder="Name, email, reference or transaction ID"
        className="input"
      />
    </label>
    {CHOICES.map(({ name, label }) => (
      <label key={name} className="field">
        <span className="field-label">{label}</span>
        <select name={name} defaultValue={chosen[name]} className="input select">
          {filters[name].map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      </label>
    ))}
    <p className="filters-wide flex gap-2">
      <SubmitButton variant="secondary">Show</SubmitButton>
      {isNarrowed && (
        <ButtonLink to={SUBSCRIPTIONS} variant="ghost">
          Clear
        </ButtonLink>
      )}
    </p>
  </Form>
);
