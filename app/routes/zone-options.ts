const place = (zone: string) => zone.slice(zone.indexOf('/') + 1).replaceAll('_', ' ');

function optionsFor(zones: Iterable<string>): string {
  const sorted = [...new Set(zones)].sort();
  const regions = Map.groupBy(sorted, (zone) => (zone.includes('/') ? zone.split('/')[0]! : 'Other'));
  const option = (zone: string) => `<option value="${zone}">${place(zone)}</option>`;
  return [...regions]
    .map(([region, list]) => `<optgroup label="${region}">${list.map(option).join('')}</optgroup>`)
    .join('');
}

let markup: string | undefined;

/**
 * Every time zone that the server knows, by region, as the markup of a list to choose from. A browser's own list may
 * name some differently.
 */
export function zoneOptions(): string {
  markup ??= optionsFor(['UTC', ...Intl.supportedValuesOf('timeZone')]);
  return markup;
}
