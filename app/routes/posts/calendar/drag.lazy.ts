import { onDemand } from '#app/ui/lazy.tsx';

/** Loaded on the first user interaction. */
export const CalendarDrag = onDemand(async () => (await import('./drag.tsx')).CalendarDrag, {
  waitsForInput: true,
});
