import type { SubmissionResult } from '@conform-to/react';
import { CloseLink, useFormAt } from '#app/routes/account/inline-form.tsx';
import { FieldError, FormPanel, SubmitButton, useFormOf } from '#app/ui/form/form.tsx';
import type { Profile } from './load.ts';
import { TimeZoneSelect } from './time-zone-select.tsx';

type ZoneFormProps = Pick<Profile, 'timeZone' | 'zones'> & {
  result: SubmissionResult<string[]> | undefined;
};

export function ZoneForm({ timeZone, zones, result }: ZoneFormProps) {
  const [form, { timeZone: field }] = useFormOf<{ timeZone: string }>(result, {
    id: 'zone-form',
    defaultValue: { timeZone },
  });
  return (
    <FormPanel
      form={form}
      action={useFormAt('zone', 'zone')}
      failure="Failed to save your time zone"
      preventScrollReset
      warnsOnLeave={false}
    >
      <div className="field">
        <label htmlFor={field.id} className="field-label">
          Time zone
        </label>
        <p id={field.descriptionId} className="field-hint">
          Posts that wait keep their local times, so they go out at another moment.
        </p>
        <TimeZoneSelect
          autoFocus
          id={field.id}
          name={field.name}
          selected={field.initialValue ?? timeZone}
          zones={zones}
          aria-describedby={field.errors ? `${field.descriptionId} ${field.errorId}` : field.descriptionId}
          aria-invalid={field.errors ? true : undefined}
        />
        <FieldError field={field} />
      </div>
      <div className="flex flex-wrap gap-3">
        <SubmitButton busyLabel="Saving…">Save time zone</SubmitButton>
        <CloseLink card="zone" />
      </div>
    </FormPanel>
  );
}
