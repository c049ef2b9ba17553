let zones: string[] | undefined;

/** Time zones by the names of the server, because browsers name some differently. */
export function zoneOptions(): string[] {
  zones ??= [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].sort();
  return zones;
}
