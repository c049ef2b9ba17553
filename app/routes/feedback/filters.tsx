import { FEEDBACK_SEARCH_MAX, FEEDBACK_STATUSES, FEEDBACK_TYPES } from '#app/domain/feedback/limits.ts';
import { choiceOf, Filters } from '#app/ui/components/filters.tsx';
import { TabLinks } from '#app/ui/components/tabs.tsx';
import { optionsOf } from '#app/ui/options.ts';
import { boardAddress, type Chosen } from './paths.ts';

const SORTS = [
  { sort: 'votes', label: 'Most wanted' },
  { sort: 'newest', label: 'Newest' },
  { sort: 'own', label: 'Yours' },
] as const;

export const BoardTabs = ({ chosen }: { chosen: Chosen }) => (
  <TabLinks
    label="Order"
    tabs={SORTS.map(({ sort, label }) => ({
      to: boardAddress({ ...chosen, sort }),
      label,
      isCurrent: sort === chosen.sort,
    }))}
  />
);

const CHOICES = [
  choiceOf('type', 'Type', 'All types', optionsOf(FEEDBACK_TYPES)),
  choiceOf('status', 'Status', 'All statuses', optionsOf(FEEDBACK_STATUSES)),
];

type FiltersProps = { chosen: Chosen; isNarrowed: boolean };

export const BoardFilters = ({ chosen, isNarrowed }: FiltersProps) => (
  <Filters
    chosen={chosen}
    search={{ maxLength: FEEDBACK_SEARCH_MAX }}
    choices={CHOICES}
    kept={{ sort: chosen.sort === 'votes' ? '' : chosen.sort }}
    clearTo={isNarrowed ? boardAddress({ sort: chosen.sort }) : null}
  />
);
