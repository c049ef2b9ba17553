import { onDemand } from '#app/ui/lazy.tsx';

/** Loaded when a post is moved. */
export const MoveDialog = onDemand(async () => (await import('./dialog.tsx')).MoveDialog);
