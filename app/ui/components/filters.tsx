import { Form } from 'react-router';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import type { Option } from '#app/ui/text.ts';

export type Choice = { name: string; label: string; options: Option[] };
type FiltersProps = {
  chosen: Record<string, string>;
  search: { maxLength: number; placeholder?: string };
  choices: Choice[];
  /** Other parameters of the URL to keep. Empty ones are left out. */
  params?: Record<string, string>;
  /** The URL without filters, or null if there are none. */
  clearTo: string | null;
};

export const Filters = ({ chosen, search, choices, params = {}, clearTo }: FiltersProps) => (
  <Form role="search" className="filters">
    {Object.entries(params).map(
      ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
    )}
    <label className="field filters-wide">
      <span className="field-label">Search</span>
      <input type="search" name="q" defaultValue={chosen.q} {...search} className="input" dir="auto" />
    </label>
    {choices.map(({ name, label, options }) => (
      <label key={name} className="field">
        <span className="field-label">{label}</span>
        <select name={name} defaultValue={chosen[name]} className="input select">
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      </label>
    ))}
    <p className="flex gap-2">
      <SubmitButton variant="secondary">Show</SubmitButton>
      {clearTo && (
        <ButtonLink to={clearTo} variant="ghost">
          Clear
        </ButtonLink>
      )}
    </p>
  </Form>
);

export const choiceOf = (name: string, label: string, all: string, options: Option[]): Choice => ({
  name,
  label,
  options: [{ value: '', label: all }, ...options],
});
