import type { SubmissionResult } from '@conform-to/react';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Card } from '#app/ui/card.tsx';
import { SwitchButton } from '#app/ui/switch.tsx';
import type { Dashboard } from './load.ts';
import { SettingsForm } from './settings-form.tsx';
import { sayTimes, sayWriting } from './settings-words.ts';

type Settings = Dashboard['settings'];
type SettingsCardProps = { settings: Settings; zones: string | null; result?: SubmissionResult<string[]> };

export function SettingsCard({ settings, zones, result }: SettingsCardProps) {
  const { enabled, next, known, ...kept } = settings;
  const { isOpen, setOpen, details } = useOpen(result);
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
      <details ref={details} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="btn btn-sm btn-secondary">Change settings</summary>
        <div className="mt-5">
          <SettingsForm
            key={JSON.stringify(kept)}
            settings={settings}
            zones={zones}
            isShown={isOpen}
            result={result}
          />
        </div>
      </details>
    </Card>
  );
}

/** Open where the address asks for it, or when what was sent was refused; saving leaves it as it is. */
function useOpen(result: unknown) {
  const [query] = useSearchParams();
  const isAsked = query.has('settings') || query.has('zones') || Boolean(result);
  const [isOpen, setOpen] = useState(isAsked);
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    // Somebody may have opened it before scripts came.
    setOpen((isOpen) => isOpen || isAsked || Boolean(details.current?.open));
  }, [isAsked]);
  return { isOpen, setOpen, details };
}

/** What the settings say, in a few lines. */
const Rules = ({ settings }: { settings: Settings }) => (
  <>
    <span className="block font-medium text-ink tabular-nums">{sayTimes(settings)}</span>
    <span className="block">{sayWriting(settings)}</span>
    {settings.known.length > 0 && (
      <span className="block">Days off: {settings.known.map(({ label }) => label).join(' · ')}</span>
    )}
    {!settings.enabled && (
      <span className="block">Posts are written and published at these times once it is active.</span>
    )}
  </>
);
