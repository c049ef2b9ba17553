import { onDemand } from '#app/ui/lazy.tsx';

/** Loaded when a post is edited. */
export const Editor = onDemand(async () => (await import('./form.tsx')).EditForm);
