import { useHydrated } from '#app/ui/use-hydrated.ts';

/** Sends the time zone of the browser. Without scripts the field is empty, which means UTC. */
export function TimeZoneInput() {
  const zone = useHydrated() ? Intl.DateTimeFormat().resolvedOptions().timeZone : '';
  return <input type="hidden" name="timeZone" value={zone} />;
}
