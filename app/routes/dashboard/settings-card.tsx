import type { SubmissionResult } from '@conform-to/react';
import { useEffect, useRef } from 'react';
import { ActionForm } from '#app/ui/action-form.tsx';
import { SubmitButton } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { FieldError, FormAlert } from '#app/ui/field-parts.tsx';
import { SwitchButton } from '#app/ui/switch.tsx';
import type { Dashboard } from './load.ts';
import { Approval, TimeField } from './settings-fields.tsx';
import { TimeZoneSelect } from './time-zone-select.tsx';

type Settings = Dashboard['settings'];
type SettingsCardProps = { settings: Settings; result?: SubmissionResult<string[]> };

export function SettingsCard({ settings, result }: SettingsCardProps) {
  const { enabled, contentCreationTime, publishTimes, requireApproval, timeZone } = settings;
  return (
    <Card
      title="Automation Settings"
      description={
        enabled
          ? 'Posts are written and published at these times.'
          : 'Paused: nothing is written or published by itself.'
      }
      actions={
        <SwitchButton
          isOn={enabled}
          label={enabled ? 'Active' : 'Paused'}
          isLabelVisible
          name="enabled"
          action="/app/automation/toggle"
        />
      }
    >
      <SettingsForm
        key={JSON.stringify([contentCreationTime, publishTimes, requireApproval, timeZone])}
        settings={settings}
        result={result}
      />
    </Card>
  );
}

/** What was typed, when it was refused; else what is stored. */
function typed({ settings, result }: SettingsCardProps) {
  const refused = result?.initialValue as Partial<Record<string, unknown>> | null | undefined;
  if (!refused) return settings;
  const text = (name: string, fallback: string) => String(refused[name] ?? fallback);
  const times = Array.isArray(refused.publishTimes) ? refused.publishTimes : [];
  return {
    contentCreationTime: text('contentCreationTime', ''),
    publishTimes: settings.publishTimes.map((_, index) => String(times[index] ?? '')),
    requireApproval: refused.requireApproval === 'on',
    timeZone: text('timeZone', settings.timeZone),
  };
}

function SettingsForm(props: SettingsCardProps) {
  const { contentCreationTime, publishTimes, requireApproval, timeZone } = typed(props);
  const { result } = props;
  const errorsOf = (name: string) => result?.error?.[name] ?? undefined;
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (result?.error) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [result]);
  return (
    <ActionForm action="/app/dashboard" preventScrollReset className="form">
      <div ref={form} className="contents">
        <FormAlert id="settings-error" errors={errorsOf('')} />
        <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2">
          <TimeField
            name="contentCreationTime"
            label="Content generation time"
            hint="When the posts of the next day are written."
            value={contentCreationTime}
            errors={errorsOf('contentCreationTime')}
          />
          <div className="field">
            <label htmlFor="settings-timeZone" className="field-label">
              Time zone
            </label>
            <p className="field-hint">All times are local to it.</p>
            <TimeZoneSelect
              id="settings-timeZone"
              name="timeZone"
              selected={timeZone}
              aria-invalid={errorsOf('timeZone') ? true : undefined}
              aria-describedby={errorsOf('timeZone') && 'settings-timeZone-error'}
            />
            <FieldError field={{ errors: errorsOf('timeZone'), errorId: 'settings-timeZone-error' }} />
          </div>
        </div>
        <fieldset aria-describedby={errorsOf('publishTimes') && 'settings-publishTimes-error'}>
          <legend className="field-label mb-2">Publish times</legend>
          <div className="grid grid-cols-2 gap-4 sm:grid-cols-3">
            {publishTimes.map((time, index) => (
              <TimeField
                // biome-ignore lint/suspicious/noArrayIndexKey: a slot is its number.
                key={index}
                name={`publishTimes[${index}]`}
                label={`Publish time ${index + 1}`}
                value={time}
                errors={errorsOf(`publishTimes[${index}]`)}
                isWrong={errorsOf('publishTimes') !== undefined}
              />
            ))}
          </div>
          <div className="mt-2">
            <FieldError
              field={{ errors: errorsOf('publishTimes'), errorId: 'settings-publishTimes-error' }}
            />
          </div>
        </fieldset>
        <Approval isAsked={requireApproval} />
        <SubmitButton busyLabel="Saving…" className="sm:self-start">
          Save All Settings
        </SubmitButton>
      </div>
    </ActionForm>
  );
}
