import type { SubmissionResult } from '@conform-to/react';
import { useEffect, useRef } from 'react';
import { ActionForm } from '#app/ui/action-form.tsx';
import { SubmitButton } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { FormAlert } from '#app/ui/error-text.tsx';
import { SwitchButton } from '#app/ui/switch.tsx';
import type { Dashboard } from './load.ts';
import { Approval, type ErrorsOf, PublishTimes, TimeField, TimeZoneField } from './settings-fields.tsx';

type Settings = Dashboard['settings'];
type SettingsCardProps = { settings: Settings; result?: SubmissionResult<string[]> };

export function SettingsCard({ settings, result }: SettingsCardProps) {
  const { enabled, contentCreationTime, publishTimes, requireApproval, timeZone } = settings;
  return (
    <Card
      id="automation"
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
  const errorsOf: ErrorsOf = (name) => result?.error?.[name] ?? undefined;
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
          <TimeZoneField selected={timeZone} errors={errorsOf('timeZone')} />
        </div>
        <PublishTimes times={publishTimes} errorsOf={errorsOf} />
        <Approval isAsked={requireApproval} />
        <SubmitButton busyLabel="Saving…" className="sm:self-start">
          Save All Settings
        </SubmitButton>
      </div>
    </ActionForm>
  );
}
