import type { SubmissionResult } from '@conform-to/react';
import { useEffect, useRef, useState } from 'react';
import type { Dashboard } from '#app/routes/dashboard/load.ts';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { FormAlert } from '#app/ui/form/errors.tsx';
import { AsksToLeave } from '#app/ui/form/unsaved/unsaved-guard.tsx';
import type { Leaves } from '#app/ui/form/unsaved/use-unsaved-blocker.tsx';
import { DaysOff, PublishDays } from './day-fields.tsx';
import { Approval, type ErrorsOf, PublishTimes, TimeField, TimeZoneField } from './fields.tsx';
import type { NextTimes } from './present.ts';
import { fieldsOf, useBegun } from './use-initial-settings.ts';
import { staysOpen } from './use-open.ts';

type SettingsFormProps = {
  settings: Dashboard['settings'];
  next: NextTimes;
  /** All that can be chosen, as markup. */
  zones: string[];
  /** It has just been opened. */
  isNew: boolean;
  result?: SubmissionResult<string[]>;
};

/** What was typed, when it was refused; else what is stored. */
function typed({ settings, result }: Pick<SettingsFormProps, 'settings' | 'result'>) {
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

const SAVING = {
  action: '/app/dashboard?settings#automation',
  failure: 'Failed to save settings',
  preventScrollReset: true,
};

/** Where somebody types it stays as it is when the settings change elsewhere: in another tab, by another plan, as a day off passes. */
export function ChangedSettings(props: SettingsFormProps) {
  const mark = useRef<HTMLDivElement>(null);
  const { settings, result } = props;
  const begun = useBegun(settings, Boolean(result?.error), mark);
  const [next, setNext] = useState(props.next);
  const preview = () =>
    void import('./fetch-preview.ts').then(({ previewTimes }) => previewTimes(mark.current!, setNext));
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what comes next follows from these.
  useEffect(() => {
    if (!isFirst.current) preview();
    isFirst.current = false;
  }, [begun, settings.enabled]);
  return (
    <div ref={mark} className="contents" onInput={preview}>
      <SettingsForm
        key={JSON.stringify(fieldsOf(begun))}
        {...props}
        settings={result?.error ? settings : begun}
        next={next}
      />
    </div>
  );
}

function SettingsForm(props: SettingsFormProps) {
  const { contentCreationTime, publishTimes, publishDays, daysOff, requireApproval, timeZone } = typed(props);
  const { result, settings, zones, isNew, next } = props;
  const [begunWith] = useState(() => result?.initialValue?.begunWith ?? JSON.stringify(fieldsOf(settings)));
  const errorsOf: ErrorsOf = (name) => result?.error?.[name] ?? undefined;
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const find = (what: string) => form.current!.querySelector<HTMLElement>(what);
    if (result?.error) find('[aria-invalid=true]')?.focus();
    // The link that opened it is gone.
    else if (isNew) find('input')?.focus({ preventScroll: true });
  }, [result, isNew]);
  return (
    <ActionForm {...SAVING} className="form" fields={{ begunWith: String(begunWith) }}>
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
        <DaysOff known={settings.known} chosen={daysOff} errors={errorsOf('daysOff')} />
        <Next {...next} />
        <Approval isAsked={requireApproval} />
        <Save />
      </div>
    </ActionForm>
  );
}

/** What else is done on the page leaves it open. */
const leaves: Leaves = (here, next, how) =>
  here.pathname !== next.pathname || !staysOpen(new URLSearchParams(next.search), how);

const Save = () => (
  <div className="flex flex-wrap gap-3">
    <SubmitButton busyLabel="Saving…">Save All Settings</SubmitButton>
    <ButtonLink to="?settings=closed#automation" preventScrollReset variant="ghost">
      Close
    </ButtonLink>
    <AsksToLeave leaves={leaves} />
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
