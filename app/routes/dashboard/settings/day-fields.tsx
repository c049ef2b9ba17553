import { WEEKDAYS } from '#app/domain/automation/limits.ts';
import { FieldError } from '#app/ui/form/errors.tsx';
import type { DayOff } from './present.ts';

type DayProps = { name: string; value: string; isChosen: boolean; isWrong?: boolean; label: string };

const Day = ({ name, value, isChosen, isWrong, label }: DayProps) => (
  <label className="flex min-h-11 items-center gap-2 capitalize">
    <input
      type="checkbox"
      name={name}
      value={value}
      defaultChecked={isChosen}
      aria-invalid={isWrong || undefined}
      className="size-5"
    />
    {label}
  </label>
);

export function PublishDays({ chosen, errors }: { chosen: readonly string[]; errors?: string[] }) {
  const errorId = 'settings-publishDays-error';
  return (
    <fieldset aria-describedby={errors && errorId}>
      <legend className="field-label mb-1">Publish on</legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] gap-x-4">
        {WEEKDAYS.map((day) => (
          <Day
            key={day}
            name="publishDays"
            value={day}
            label={day}
            isChosen={chosen.includes(day)}
            isWrong={errors !== undefined}
          />
        ))}
      </div>
      <FieldError field={{ errors, errorId }} />
    </fieldset>
  );
}

type DaysOffProps = { known: DayOff[]; chosen: readonly string[]; errors?: string[] };

/** Those that are kept, to be unticked, and empty dates for more. */
export function DaysOff({ known, chosen, errors }: DaysOffProps) {
  const errorId = 'settings-daysOff-error';
  const typed = chosen.filter((day) => day && !known.some((kept) => kept.day === day));
  return (
    <fieldset aria-describedby={errors && errorId}>
      <legend className="field-label mb-1">Days off</legend>
      <p className="field-hint">
        Nothing is published on these dates.{known.length > 0 && ' Untick one to take it back.'}
      </p>
      <div className="my-1 grid grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] gap-x-4">
        {known.map(({ day, label }) => (
          <Day key={day} name="daysOff" value={day} label={label} isChosen={chosen.includes(day)} />
        ))}
      </div>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-4">
        {[...typed, '', '', ''].slice(0, Math.max(typed.length, 3)).map((day, index) => (
          <input
            // biome-ignore lint/suspicious/noArrayIndexKey: a place for a date is its number.
            key={index}
            type="date"
            name="daysOff"
            aria-label={`Add day off ${index + 1}`}
            defaultValue={day}
            aria-invalid={errors && day ? true : undefined}
            className="input"
          />
        ))}
      </div>
      <FieldError field={{ errors, errorId }} />
    </fieldset>
  );
}
