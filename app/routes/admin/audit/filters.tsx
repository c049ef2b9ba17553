import { Form } from 'react-router';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { FieldError } from '#app/ui/form/errors.tsx';
import type { AuditPage } from './load.ts';

type FiltersProps = Pick<AuditPage, 'actions' | 'admins' | 'chosen' | 'errors' | 'zone'>;

const ZONE = 'audit-zone';

/** Two columns on a phone, at most four elsewhere. */
const GRID = { gridTemplateColumns: 'repeat(auto-fit, minmax(max(min(10rem, 100%), 22%), 1fr))' } as const;
const WIDE = { gridColumn: 'span 2' } as const;
const BELOW = { alignSelf: 'end' } as const;
const ROW = { gridColumn: '1 / -1' } as const;

export const AuditFilters = ({ actions, admins, chosen, errors, zone }: FiltersProps) => (
  <Form className="mb-6 grid items-start gap-3" style={GRID} noValidate>
    <SelectFilter label="Action" name="action" all="All actions" options={actions} chosen={chosen.action} />
    <SelectFilter label="Admin" name="admin" all="All admins" options={admins} chosen={chosen.admin} />
    <DayFilter label="First day" name="from" chosen={chosen.from} error={errors?.from} />
    <DayFilter label="Last day" name="to" chosen={chosen.to} error={errors?.to} />
    <label className="field" style={WIDE}>
      <span className="field-label">Words, an address or an ID</span>
      <input name="q" type="search" defaultValue={chosen.q} className="input" />
    </label>
    <p className="flex gap-2" style={BELOW}>
      <SubmitButton variant="secondary">Show</SubmitButton>
      {Object.values(chosen).some(Boolean) && (
        <ButtonLink to="/app/admin/audit" variant="ghost">
          Clear
        </ButtonLink>
      )}
    </p>
    <p id={ZONE} className="field-hint" style={ROW}>
      {zone}
    </p>
  </Form>
);

type SelectFilterProps = {
  label: string;
  name: string;
  all: string;
  options: { value: string; label: string }[];
  chosen: string;
};

const SelectFilter = ({ label, name, all, options, chosen }: SelectFilterProps) => (
  <label className="field">
    <span className="field-label">{label}</span>
    <select name={name} defaultValue={chosen} className="input select">
      <option value="">{all}</option>
      {options.map(({ value, label: option }) => (
        <option key={value} value={value}>
          {option}
        </option>
      ))}
    </select>
  </label>
);

type DayFilterProps = { label: string; name: string; chosen: string; error: string | undefined };

const DayFilter = ({ label, name, chosen, error }: DayFilterProps) => {
  const errorId = `audit-${name}-error`;
  return (
    <div className="field">
      <label className="field-label" htmlFor={`audit-${name}`}>
        {label}
      </label>
      <input
        id={`audit-${name}`}
        name={name}
        type="date"
        defaultValue={chosen}
        className="input"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${ZONE} ${errorId}` : ZONE}
      />
      <FieldError field={{ errorId, errors: error ? [error] : [] }} />
    </div>
  );
};
