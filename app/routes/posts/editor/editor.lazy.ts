import { onDemand } from '#app/ui/lazy.tsx';

/** Its script comes when a post is edited. */
export const Editor = onDemand(async () => (await import('./form.tsx')).EditForm);
