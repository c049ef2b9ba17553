import { onDemand } from '#app/ui/on-demand.tsx';

/** Its script comes when a post is edited. */
export const Editor = onDemand(async () => (await import('./edit-form.tsx')).EditForm);
