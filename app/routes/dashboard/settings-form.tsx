import type { SubmissionResult } from '@conform-to/react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ActionForm } from '#app/ui/action-form.tsx';
import { AsksToLeave } from '#app/ui/asks-to-leave.tsx';
import { SubmitButton } from '#app/ui/button.tsx';
import { FormAlert } from '#app/ui/error-text.tsx';
import { DaysOff, PublishDays } from './days-fields.tsx';
import type { NextTimes } from './describe-next.ts';
import type { Dashboard } from './load.ts';
import { Approval, type ErrorsOf, PublishTimes, TimeField, TimeZoneField } from './settings-fields.tsx';

type SettingsFormProps = {
  settings: Dashboard['settings'];
  zones: string | null;
  isShown: boolean;
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

const SAVING = { action: '/app/dashboard', failure: 'Failed to save settings', preventScrollReset: true };

export function SettingsForm(props: SettingsFormProps) {
  const { contentCreationTime, publishTimes, publishDays, daysOff, requireApproval, timeZone } = typed(props);
  const { result, settings, zones, isShown } = props;
  const [next, setNext] = useState<NextTimes>();
  const errorsOf: ErrorsOf = (name) => result?.error?.[name] ?? undefined;
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (result?.error) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [result]);
  const preview = ({ currentTarget }: FormEvent<HTMLFormElement>) =>
    void import('./preview-times.ts').then(({ previewTimes }) => previewTimes(currentTarget, setNext));
  return (
    <ActionForm {...SAVING} className="form" onInput={preview}>
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
          <TimeZoneField selected={timeZone} {...{ zones, isShown }} errors={errorsOf('timeZone')} />
        </div>
        <PublishTimes times={publishTimes} errorsOf={errorsOf} />
        <PublishDays chosen={publishDays} errors={errorsOf('publishDays')} />
        <DaysOff known={settings.known} chosen={daysOff} errors={errorsOf('daysOff')} />
        <Next {...(next ?? settings.next)} />
        <Approval isAsked={requireApproval} />
        <Save />
      </div>
    </ActionForm>
  );
}

const Save = () => (
  <>
    <SubmitButton busyLabel="Saving…" className="sm:self-start">
      Save All Settings
    </SubmitButton>
    <AsksToLeave />
  </>
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
