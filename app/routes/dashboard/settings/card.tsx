import type { SubmissionResult } from '@conform-to/react';
import type { DashboardData } from '#app/routes/dashboard/load.ts';
import { Card } from '#app/ui/components/card.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { SwitchButton } from '#app/ui/form/switch.tsx';
import { ChangeSettings } from './form.lazy.ts';
import { timesLabel, writingLabel } from './labels.ts';
import { useOpenForm } from './use-open.ts';

type SettingsCardProps = { dashboard: DashboardData; result?: SubmissionResult<string[]> };

export function SettingsCard({ dashboard: { settings, form }, result }: SettingsCardProps) {
  const { enabled } = settings;
  const open = useOpenForm(form);
  return (
    <Card
      id="automation"
      title="Automation Settings"
      description={<Rules settings={settings} />}
      actions={
        <SwitchButton
          failure="Failed to toggle automation"
          isOn={enabled}
          label={enabled ? 'Active' : 'Paused'}
          isLabelVisible
          name="enabled"
          action="/app/automation/toggle"
        />
      }
    >
      {open ? (
        <ChangeSettings settings={settings} {...open} result={result} />
      ) : (
        <ButtonLink to="?settings#automation" preventScrollReset variant="secondary" size="sm">
          Change settings
        </ButtonLink>
      )}
    </Card>
  );
}

const Rules = ({ settings }: Pick<DashboardData, 'settings'>) => (
  <>
    <span className="block font-medium text-ink tabular-nums">{timesLabel(settings)}</span>
    <span className="block">{writingLabel(settings)}</span>
    {settings.namedDaysOff.length > 0 && (
      <span className="block">Days off: {settings.namedDaysOff.map(({ label }) => label).join(' · ')}</span>
    )}
    {!settings.enabled && (
      <span className="block">Posts are written and published at these times once it is active.</span>
    )}
  </>
);
