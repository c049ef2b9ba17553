import { onDemand } from '#app/ui/lazy.tsx';

export const MoveDialog = onDemand(async () => (await import('./dialog.tsx')).MoveDialog);
