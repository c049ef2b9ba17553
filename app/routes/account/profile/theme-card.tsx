import { useRouteLoaderData } from 'react-router';
import { Card } from '#app/ui/components/card.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { SubmitButton } from '#app/ui/form/button.tsx';
import { RadioTile } from '#app/ui/form/radio-tile.tsx';

const THEMES = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** Which colours this browser shows. */
export function ThemeCard() {
  const { theme = 'system' } = useRouteLoaderData<{ theme?: string }>('root') ?? {};
  return (
    <Card id="theme" title="Colours" description="For this browser. System follows your device.">
      <ActionForm action="/theme" failure="Failed to change the colours" className="form" preventScrollReset>
        <fieldset key={theme} className="grid gap-3 sm:grid-cols-3">
          <legend className="sr-only">Colours</legend>
          {THEMES.map((tile) => (
            <RadioTile key={tile.value} name="theme" defaultChecked={tile.value === theme} {...tile} />
          ))}
        </fieldset>
        <div>
          <SubmitButton variant="secondary" busyLabel="Saving…">
            Use these colours
          </SubmitButton>
        </div>
      </ActionForm>
    </Card>
  );
}
