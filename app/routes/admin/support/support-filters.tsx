import { TICKET_SEARCH_MAX } from '#app/domain/support/limits.ts';
import { choiceOf, Filters } from '#app/ui/components/filters.tsx';
import { TabLinks } from '#app/ui/components/tabs.tsx';
import { type SupportPlace, supportAddress } from './paths.ts';

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

export const SupportFilters = ({ place: { tab, q, status }, filters, isNarrowed }: FiltersProps) => (
  <Filters
    chosen={{ q, status }}
    search={{ maxLength: TICKET_SEARCH_MAX }}
    choices={[choiceOf('status', 'Status', 'All statuses', filters)]}
    kept={{ tab: tab === 'feedback' ? tab : '' }}
    clearTo={isNarrowed ? supportAddress({ tab }) : null}
  />
);
