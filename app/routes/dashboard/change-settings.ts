import { onDemand } from '#app/ui/on-demand.tsx';

/** The form of the settings, which nobody needs on most of their days. */
export const ChangeSettings = onDemand(async () => (await import('./settings-form.tsx')).ChangedSettings);
