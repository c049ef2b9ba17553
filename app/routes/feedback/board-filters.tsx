import { Form } from 'react-router';
import { FEEDBACK_SEARCH_MAX, FEEDBACK_STATUSES, FEEDBACK_TYPES } from '#app/domain/feedback/limits.ts';
import { ButtonLink, SubmitButton } from '#app/ui/button.tsx';
import { TabLinks } from '#app/ui/tabs.tsx';
import { boardAddress, type Chosen } from './board-address.ts';

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
  { name: 'type', label: 'Type', all: 'All types', words: FEEDBACK_TYPES },
  { name: 'status', label: 'Status', all: 'All statuses', words: FEEDBACK_STATUSES },
] as const;

/** A GET form: the address carries what was chosen. */
export const BoardFilters = ({ chosen, isNarrowed }: { chosen: Chosen; isNarrowed: boolean }) => (
  <Form role="search" className="board-filters">
    {chosen.sort !== 'votes' && <input type="hidden" name="sort" value={chosen.sort} />}
    <label className="field">
      <span className="field-label">Search</span>
      <input
        type="search"
        name="q"
        defaultValue={chosen.q}
        maxLength={FEEDBACK_SEARCH_MAX}
        className="input"
      />
    </label>
    {CHOICES.map(({ name, label, all, words }) => (
      <label key={name} className="field">
        <span className="field-label">{label}</span>
        <select name={name} defaultValue={chosen[name]} className="input select">
          <option value="">{all}</option>
          {Object.entries(words).map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </select>
      </label>
    ))}
    <p className="flex gap-2">
      <SubmitButton variant="secondary">Show</SubmitButton>
      {isNarrowed && (
        <ButtonLink to={boardAddress({ sort: chosen.sort })} variant="ghost">
          Clear
        </ButtonLink>
      )}
    </p>
  </Form>
);
