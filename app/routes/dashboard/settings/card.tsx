import type { SubmissionResult } from '@conform-to/react';
import { WEEKDAYS } from '#app/domain/automation/limits.ts';
import type { DashboardData } from '#app/routes/dashboard/load.ts';
import { Card } from '#app/ui/components/card.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { SwitchButton } from '#app/ui/form/switch.tsx';
import { capitalised, inWordsFirst } from '#app/ui/text.ts';
import { ChangeSettings } from './form.lazy.ts';
import { useOpenForm } from './use-open.ts';

type Settings = DashboardData['settings'];
type SettingsCardProps = { dashboard: DashboardData; result?: SubmissionResult<string[]> };

/** What is set, and the form that changes it, where that is asked for. */
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

/** What the settings say, in a few lines. */
const Rules = ({ settings }: { settings: Settings }) => (
  <>
    <span className="block font-medium text-ink tabular-nums">{timesLabel(settings)}</span>
    <span className="block">{writingLabel(settings)}</span>
    {settings.known.length > 0 && (
      <span className="block">Days off: {settings.known.map(({ label }) => label).join(' · ')}</span>
    )}
    {!settings.enabled && (
      <span className="block">Posts are written and published at these times once it is active.</span>
    )}
  </>
);

const list = new Intl.ListFormat('en-GB');
const plural = (day: string) => `${capitalised(day)}s`;

/** "Every day", "Mondays to Fridays", "Every day but Sundays". */
export function daysLabel(chosen: readonly string[]): string {
  const days = WEEKDAYS.filter((day) => chosen.includes(day));
  const [left] = WEEKDAYS.filter((day) => !chosen.includes(day));
  if (!left) return 'Every day';
  const place = (day: (typeof WEEKDAYS)[number]) => WEEKDAYS.indexOf(day);
  const isRow = days.length > 2 && place(days.at(-1)!) - place(days[0]!) === days.length - 1;
  if (isRow) return `${plural(days[0]!)} to ${plural(days.at(-1)!)}`;
  return days.length === WEEKDAYS.length - 1
    ? `Every day but ${plural(left)}`
    : list.format(days.map(plural));
}

type TimetableRules = {
  contentCreationTime: string;
  publishTimes: string[];
  publishDays: readonly string[];
  requireApproval: boolean;
  timeZone: string;
};

/** When posts go out, and by whose clock. */
export const timesLabel = ({ publishDays, publishTimes, timeZone }: TimetableRules) =>
  `${daysLabel(publishDays)}, ${list.format(publishTimes)}, ${timeZone.replaceAll('_', ' ')}`;

/** How many posts are written, when, and whether they go out unasked. */
export function writingLabel({ publishTimes, contentCreationTime, requireApproval }: TimetableRules): string {
  const { length } = publishTimes;
  const posts = `${inWordsFirst(length)} ${length === 1 ? 'post' : 'posts'} a day, written at ${contentCreationTime}`;
  return `${posts} · ${requireApproval ? 'you approve each' : length === 1 ? 'it goes out by itself' : 'they go out by themselves'}`;
}
