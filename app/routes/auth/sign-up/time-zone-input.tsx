import { useHydrated } from '#app/ui/use-hydrated.ts';

/** The browser's zone, once scripts run; empty means UTC. */
export function TimeZoneInput() {
  const zone = useHydrated() ? Intl.DateTimeFormat().resolvedOptions().timeZone : '';
  return <input type="hidden" name="timeZone" value={zone} />;
}
