import { onDemand } from '#app/ui/lazy.tsx';

/** Comes when somebody does something on the page. */
export const CalendarDrag = onDemand(async () => (await import('./drag.tsx')).CalendarDrag, {
  waitsForInput: true,
});
