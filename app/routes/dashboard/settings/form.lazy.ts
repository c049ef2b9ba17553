import { onDemand } from '#app/ui/lazy.tsx';

/** Loaded when the settings are changed. */
export const ChangeSettings = onDemand(async () => (await import('./form.tsx')).SettingsEditor);
