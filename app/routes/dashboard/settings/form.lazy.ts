import { onDemand } from '#app/ui/lazy.tsx';

export const ChangeSettings = onDemand(async () => (await import('./form.tsx')).SettingsEditor);
