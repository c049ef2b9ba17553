let zones: string[] | undefined;

/** Lists the time zones that the server knows. Browsers name some differently. */
export function zoneOptions(): string[] {
  zones ??= [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].sort();
  return zones;
}
