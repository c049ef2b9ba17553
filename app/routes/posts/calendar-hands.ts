import { onDemand } from '#app/ui/on-demand.tsx';

/** Comes when somebody does something on the page. */
export const CalendarDrag = onDemand(async () => (await import('./calendar-drag.tsx')).CalendarDrag, {
  isBelow: true,
});
