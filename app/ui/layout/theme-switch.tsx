import { useRouteLoaderData } from 'react-router';
import { ActionForm } from '#app/ui/form/action-form.tsx';

const THEMES = ['System', 'Light', 'Dark'];

export function ThemeSwitch() {
  const { theme } = useRouteLoaderData<{ theme?: string }>('root') ?? {};
  return (
    <ActionForm action="/theme" failure="Failed to change the colours" preventScrollReset>
      <fieldset className="theme-switch">
        <legend className="sr-only">Colours</legend>
        {THEMES.map((name) => (
          <button
            key={name}
            type="submit"
            name="theme"
            value={name.toLowerCase()}
            aria-pressed={name.toLowerCase() === (theme ?? 'system')}
          >
            {name}
          </button>
        ))}
      </fieldset>
    </ActionForm>
  );
}
