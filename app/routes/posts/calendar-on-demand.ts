import { onDemand } from '#app/ui/on-demand.tsx';

/** Its script and styles come with the first month or week that is shown. */
export const Calendar = onDemand(async () => (await import('./calendar.tsx')).Calendar);
