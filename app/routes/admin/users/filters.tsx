import { Form } from 'react-router';
import { PEOPLE_SEARCH_MAX } from '#app/domain/accounts/limits.ts';
import { USERS } from '#app/routes/admin/tabs.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import type { PeoplePlace, PeopleShown } from './paths.ts';

const CHOICES: { value: PeopleShown | ''; label: string }[] = [
  { value: '', label: 'Everybody' },
  { value: 'plan', label: 'With a plan' },
  { value: 'no_plan', label: 'Without a plan' },
  { value: 'admins', label: 'Admins' },
  { value: 'disabled', label: 'Disabled' },
];

type FiltersProps = { place: PeoplePlace; isNarrowed: boolean };

/** A GET form: the address carries what was chosen. */
export const PeopleFilters = ({ place: { q, show }, isNarrowed }: FiltersProps) => (
  <Form role="search" className="desk-filters">
    <input type="hidden" name="tab" value="users" />
    <label className="field">
      <span className="field-label">Search</span>
      <input
        type="search"
        name="q"
        defaultValue={q}
        maxLength={PEOPLE_SEARCH_MAX}
        placeholder="Name, email or ID"
        className="input"
      />
    </label>
    <label className="field">
      <span className="field-label">Who</span>
      <select name="show" defaultValue={show} className="input select">
        {CHOICES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
    <p className="flex gap-2">
      <SubmitButton variant="secondary">Show</SubmitButton>
      {isNarrowed && (
        <ButtonLink to={USERS} variant="ghost">
          Clear
        </ButtonLink>
      )}
    </p>
  </Form>
);
