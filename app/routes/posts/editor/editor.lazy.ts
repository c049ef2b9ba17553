import { onDemand } from '#app/ui/lazy.tsx';

export const Editor = onDemand(async () => (await import('./form.tsx')).EditForm);
