let zones: string[] | undefined;

/** Every time zone that the server knows. A browser's own list may name some differently. */
export function zoneOptions(): string[] {
  zones ??= [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].sort();
  return zones;
}
