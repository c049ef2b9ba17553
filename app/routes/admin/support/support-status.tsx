import { ActionForm } from '#app/ui/form/action-form.tsx';
import { SubmitButton } from '#app/ui/form/button.tsx';
import { useHydrated } from '#app/ui/use-hydrated.ts';

type Option = { value: string; label: string };
/** What every dialog of the desk of support is opened with. */
export type Opened = { statuses: Option[]; closeTo: string; action: string };
type StatusProps = { id: string; status: string; statuses: Option[]; action: string };

/** Stores a status as soon as it is chosen; without scripts a button does. */
export const StatusForm = ({ id, status, statuses, action }: StatusProps) => {
  const isHydrated = useHydrated();
  return (
    <ActionForm
      action={action}
      failure="Failed to update status"
      preventScrollReset
      className="support-status"
    >
      <label className="field">
        <span className="field-label">Status</span>
        <select
          key={`${id} ${status}`}
          name="status"
          defaultValue={status}
          onChange={({ currentTarget }) => currentTarget.form!.requestSubmit()}
          className="input select"
        >
          {statuses.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {!isHydrated && <SubmitButton variant="secondary">Save</SubmitButton>}
    </ActionForm>
  );
};
