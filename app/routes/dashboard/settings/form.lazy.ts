import { onDemand } from '#app/ui/lazy.tsx';

/** The form of the settings, which nobody needs on most of their days. */
export const ChangeSettings = onDemand(async () => (await import('./form.tsx')).ChangedSettings);
