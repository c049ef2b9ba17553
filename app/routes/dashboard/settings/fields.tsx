import { spellTime } from '#app/domain/automation/limits.ts';
import { TimeZoneSelect } from '#app/routes/account/profile/time-zone-select.tsx';
import { FieldError } from '#app/ui/form/errors.tsx';
import { RadioTile } from '#app/ui/form/radio-tile.tsx';

export type ErrorsOf = (name: string) => string[] | undefined;

type TimeFieldProps = {
  name: string;
  label: string;
  hint?: string;
  value: string;
  errors?: string[];
  isWrong?: boolean;
};

/** A text field, because a time input may show 12 hours and every time here is written with 24. */
export function TimeField({ name, label, hint, value, errors, isWrong }: TimeFieldProps) {
  const id = `settings-${name.replace(/\W/g, '-')}`;
  const described = [hint && `${id}-hint`, errors && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id} className="field-label">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      <input
        id={id}
        name={name}
        inputMode="numeric"
        autoComplete="off"
        placeholder="HH:MM"
        title="A time from 00:00 to 23:59"
        pattern="\s*([01]?\d|2[0-3])[:.]?[0-5]\d\s*"
        required
        defaultValue={value}
        // The same time in another notation is no change.
        onBlur={({ currentTarget }) => {
          currentTarget.value = spellTime(currentTarget.value);
        }}
        className="input tabular-nums"
        aria-invalid={errors || isWrong ? true : undefined}
        aria-describedby={described || undefined}
      />
      <FieldError field={{ errors, errorId: `${id}-error` }} />
    </div>
  );
}

type TimeZoneFieldProps = { selected: string; zones: string[]; errors?: string[] };

export function TimeZoneField({ selected, zones, errors }: TimeZoneFieldProps) {
  const id = 'settings-timeZone';
  return (
    <div className="field">
      <label htmlFor={id} className="field-label">
        Time zone
      </label>
      <p className="field-hint">All times are local to it.</p>
      <TimeZoneSelect
        id={id}
        name="timeZone"
        selected={selected}
        zones={zones}
        aria-invalid={errors ? true : undefined}
        aria-describedby={errors && `${id}-error`}
      />
      <FieldError field={{ errors, errorId: `${id}-error` }} />
    </div>
  );
}

export function PublishTimes({ times, errorsOf }: { times: string[]; errorsOf: ErrorsOf }) {
  const errors = errorsOf('publishTimes');
  const [hintId, errorId] = ['settings-publishTimes-hint', 'settings-publishTimes-error'];
  return (
    <fieldset aria-describedby={errors ? `${hintId} ${errorId}` : hintId}>
      <legend className="field-label mb-2">Publish times</legend>
      <p id={hintId} className="field-hint mb-2">
        Most people choose a full hour. A few minutes past it, such as 09:07 or 14:23, fewer posts go out.
      </p>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-4">
        {times.map((time, index) => (
          <TimeField
            // biome-ignore lint/suspicious/noArrayIndexKey: a slot is its number.
            key={index}
            name={`publishTimes[${index}]`}
            label={`Publish time ${index + 1}`}
            value={time}
            errors={errorsOf(`publishTimes[${index}]`)}
            isWrong={errors !== undefined}
          />
        ))}
      </div>
      <div className="mt-2">
        <FieldError field={{ errors, errorId }} />
      </div>
    </fieldset>
  );
}

const CHOICES = [
  { value: 'off', label: 'Publish by itself', text: 'Each post goes out at its time.' },
  { value: 'on', label: 'Ask me before each post', text: 'A post goes out only after you approved it.' },
];

export const Approval = ({ isRequired }: { isRequired: boolean }) => (
  <fieldset>
    <legend className="field-label mb-2">Before a post is published</legend>
    <div className="grid gap-3 sm:grid-cols-2">
      {CHOICES.map((tile) => (
        <RadioTile
          key={tile.value}
          name="requireApproval"
          defaultChecked={(tile.value === 'on') === isRequired}
          {...tile}
        />
      ))}
    </div>
  </fieldset>
);
