import { onDemand } from '#app/ui/lazy.tsx';

/** Its script comes when a post is moved. */
export const MoveDialog = onDemand(async () => (await import('./dialog.tsx')).MoveDialog);
