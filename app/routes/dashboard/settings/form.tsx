import type { SubmissionResult } from '@conform-to/react';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { changedSince, spellTime, WEEKDAYS } from '#app/domain/automation/limits.ts';
import type { DashboardData } from '#app/routes/dashboard/load.ts';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { FieldError, FormAlert } from '#app/ui/form/errors.tsx';
import { UnsavedGuard } from '#app/ui/form/unsaved/unsaved-guard.tsx';
import type { Leaves } from '#app/ui/form/unsaved/use-unsaved-blocker.tsx';
import { Approval, type ErrorsOf, PublishTimes, TimeField, TimeZoneField } from './fields.tsx';
import type { DayOff, NextTimes } from './present.ts';
import { staysOpen } from './use-open.ts';

type SettingsFormProps = {
  settings: DashboardData['settings'];
  next: NextTimes;
  /** The options, as HTML. */
  zones: string[];
  isNew: boolean;
  result?: SubmissionResult<string[]>;
};

/** The typed values if they were refused, else the stored ones. */
function fieldValues({ settings, result }: Pick<SettingsFormProps, 'settings' | 'result'>) {
  const refused = result?.initialValue as Partial<Record<string, unknown>> | null | undefined;
  if (!refused) return settings;
  const text = (name: string, fallback: string) => String(refused[name] ?? fallback);
  const list = (name: string) => [refused[name] ?? []].flat().map(String);
  const times = list('publishTimes');
  return {
    contentCreationTime: text('contentCreationTime', ''),
    publishTimes: settings.publishTimes.map((_, index) => times[index] ?? ''),
    publishDays: list('publishDays'),
    daysOff: list('daysOff'),
    requireApproval: refused.requireApproval === 'on',
    timeZone: text('timeZone', settings.timeZone),
  };
}

const FORM = {
  action: '/app/dashboard?settings#automation',
  failure: 'Failed to save settings',
  preventScrollReset: true,
};

/**
 * While the user types, the form keeps its values when the settings change elsewhere: in another tab, by another plan,
 * or when a day off passes.
 */
export function SettingsEditor(props: SettingsFormProps) {
  const container = useRef<HTMLDivElement>(null);
  const { settings, result } = props;
  const initial = useInitialSettings(settings, Boolean(result?.error), container);
  const [next, setNext] = useState(props.next);
  const preview = () =>
    void import('./fetch-preview.ts').then(({ previewTimes }) => previewTimes(container.current!, setNext));
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the preview depends on these.
  useEffect(() => {
    if (!isFirst.current) preview();
    isFirst.current = false;
  }, [initial, settings.enabled]);
  return (
    <div ref={container} className="contents" onInput={preview}>
      <SettingsForm
        key={JSON.stringify(fieldsOf(initial))}
        {...props}
        settings={result?.error ? settings : initial}
        next={next}
      />
    </div>
  );
}

function SettingsForm(props: SettingsFormProps) {
  const { contentCreationTime, publishTimes, publishDays, daysOff, requireApproval, timeZone } =
    fieldValues(props);
  const { result, settings, zones, isNew, next } = props;
  const [begunWith] = useState(() => result?.initialValue?.begunWith ?? JSON.stringify(fieldsOf(settings)));
  const errorsOf: ErrorsOf = (name) => result?.error?.[name] ?? undefined;
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const find = (what: string) => form.current!.querySelector<HTMLElement>(what);
    if (result?.error) find('[aria-invalid=true]')?.focus();
    else if (isNew) find('input')?.focus({ preventScroll: true });
  }, [result, isNew]);
  return (
    <ActionForm {...FORM} className="form" fields={{ begunWith: String(begunWith) }}>
      <div ref={form} className="contents">
        <FormAlert id="settings-error" errors={errorsOf('')} />
        <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2">
          <TimeField
            name="contentCreationTime"
            label="Content generation time"
            hint="When your next posts are written."
            value={contentCreationTime}
            errors={errorsOf('contentCreationTime')}
          />
          <TimeZoneField selected={timeZone} zones={zones} errors={errorsOf('timeZone')} />
        </div>
        <PublishTimes times={publishTimes} errorsOf={errorsOf} />
        <PublishDays chosen={publishDays} errors={errorsOf('publishDays')} />
        <DaysOff stored={settings.namedDaysOff} chosen={daysOff} errors={errorsOf('daysOff')} />
        <Next {...next} />
        <Approval isRequired={requireApproval} />
        <Buttons />
      </div>
    </ActionForm>
  );
}

/** Other actions on the page leave the form open. */
const leaves: Leaves = (here, next, how) =>
  here.pathname !== next.pathname || !staysOpen(new URLSearchParams(next.search), how);

const Buttons = () => (
  <div className="flex flex-wrap gap-3">
    <SubmitButton busyLabel="Saving…">Save All Settings</SubmitButton>
    <ButtonLink to="?settings=closed#automation" preventScrollReset variant="ghost">
      Close
    </ButtonLink>
    <UnsavedGuard leaves={leaves} />
  </div>
);

const Next = ({ times, note }: NextTimes) => (
  <output className="rounded-md bg-sunken p-4 text-sm">
    <span className="field-label">Next publish times</span>
    {times.map((time) => (
      <span key={time} className="block tabular-nums">
        {time}
      </span>
    ))}
    <span className="block text-ink-3">{note}</span>
  </output>
);

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

function PublishDays({ chosen, errors }: { chosen: readonly string[]; errors?: string[] }) {
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

type DaysOffProps = { stored: DayOff[]; chosen: readonly string[]; errors?: string[] };

/** The stored days off, as checkboxes, and empty fields for more. */
function DaysOff({ stored, chosen, errors }: DaysOffProps) {
  const errorId = 'settings-daysOff-error';
  const newDays = chosen.filter((day) => day && !stored.some((dayOff) => dayOff.day === day));
  return (
    <fieldset aria-describedby={errors && errorId}>
      <legend className="field-label mb-1">Days off</legend>
      <p className="field-hint">
        Nothing is published on these dates.{stored.length > 0 && ' Untick one to take it back.'}
      </p>
      <div className="my-1 grid grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] gap-x-4">
        {stored.map(({ day, label }) => (
          <Day key={day} name="daysOff" value={day} label={label} isChosen={chosen.includes(day)} />
        ))}
      </div>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-4">
        {[...newDays, '', '', ''].slice(0, Math.max(newDays.length, 3)).map((day, index) => (
          <input
            // biome-ignore lint/suspicious/noArrayIndexKey: a field is identified by its index.
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

type Settings = DashboardData['settings'];

const fieldsOf = (settings: Settings) => {
  const { contentCreationTime, publishTimes, publishDays, daysOff, requireApproval, timeZone } = settings;
  return { contentCreationTime, publishTimes, publishDays, daysOff, requireApproval, timeZone };
};

/** The values of the form, as they would be stored. */
function fieldsIn(form: HTMLFormElement): ReturnType<typeof fieldsOf> {
  const data = new FormData(form);
  const all = (name: string) =>
    [...data].flatMap(([field, value]) => (field.startsWith(name) && value ? spellTime(String(value)) : []));
  return {
    contentCreationTime: all('contentCreationTime').join(),
    publishTimes: all('publishTimes').sort(),
    publishDays: all('publishDays'),
    daysOff: all('daysOff').sort(),
    requireApproval: data.get('requireApproval') === 'on',
    timeZone: all('timeZone').join(),
  };
}

function hasUnsavedInput(form: HTMLFormElement, settings: Settings): boolean {
  const typed = changedSince(JSON.parse(form.begunWith.value), fieldsIn(form));
  return Object.keys(changedSince(fieldsOf(settings), typed)).length > 0;
}

/**
 * The settings that the form starts from. They are replaced when others are stored, here or elsewhere, unless the user
 * has unsaved changes: then untouched fields are not saved over what was set elsewhere.
 */
function useInitialSettings(
  settings: Settings,
  isRefused: boolean,
  container: RefObject<HTMLElement | null>,
) {
  const [initial, setInitial] = useState(settings);
  const focus = useRef(-1);
  const currentForm = () => container.current!.querySelector('form')!;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when other settings are stored.
  useEffect(() => {
    if (isRefused || hasUnsavedInput(currentForm(), settings)) return;
    focus.current = [...currentForm().elements].indexOf(document.activeElement!);
    setInitial(settings);
  }, [JSON.stringify(fieldsOf(settings)), isRefused]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus stays on the same field.
  useLayoutEffect(() => {
    (currentForm().elements[focus.current] as HTMLElement | undefined)?.focus({ preventScroll: true });
    focus.current = -1;
  }, [initial]);
  return initial;
}
