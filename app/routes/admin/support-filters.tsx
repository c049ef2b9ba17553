import { Form } from 'react-router';
import { TICKET_SEARCH_MAX } from '#app/domain/support/limits.ts';
import { ButtonLink, SubmitButton } from '#app/ui/button.tsx';
import { TabLinks } from '#app/ui/tabs.tsx';
import { type SupportPlace, supportAddress } from './support-address.ts';

const TABS = [
  { tab: 'support', label: 'Support Tickets' },
  { tab: 'feedback', label: 'User Feedback' },
] as const;

export const SupportTabs = ({ current }: { current: SupportPlace['tab'] }) => (
  <TabLinks
    tabs={TABS.map(({ tab, label }) => ({ to: supportAddress({ tab }), label, isCurrent: tab === current }))}
  />
);

type FiltersProps = {
  place: SupportPlace;
  filters: { value: string; label: string }[];
  isNarrowed: boolean;
};

/** A GET form: the address carries what was chosen. */
export const SupportFilters = ({ place: { tab, q, status }, filters, isNarrowed }: FiltersProps) => (
  <Form role="search" className="support-filters">
    {tab === 'feedback' && <input type="hidden" name="tab" value={tab} />}
    <label className="field">
      <span className="field-label">Search</span>
      <input type="search" name="q" defaultValue={q} maxLength={TICKET_SEARCH_MAX} className="input" />
    </label>
    <label className="field">
      <span className="field-label">Status</span>
      <select name="status" defaultValue={status} className="input select">
        <option value="">All statuses</option>
        {filters.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
    <p className="flex gap-2">
      <SubmitButton variant="secondary">Show</SubmitButton>
      {isNarrowed && (
        <ButtonLink to={supportAddress({ tab })} variant="ghost">
          Clear
        </ButtonLink>
      )}
    </p>
  </Form>
);
