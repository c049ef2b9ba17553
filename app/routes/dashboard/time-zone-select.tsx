import { type ComponentProps, useMemo } from 'react';

type Zones = Map<string, string[]>;

function zonesByRegion(selected: string): Zones {
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), selected]);
  return Map.groupBy([...zones].sort(), (zone) => (zone.includes('/') ? zone.split('/')[0]! : 'Other'));
}

const place = (zone: string) => zone.slice(zone.indexOf('/') + 1).replaceAll('_', ' ');
const safe = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

function optionsOf(selected: string): string {
  const option = (zone: string) =>
    `<option value="${safe(zone)}"${zone === selected ? ' selected' : ''}>${safe(place(zone))}</option>`;
  return [...zonesByRegion(selected)]
    .map(([region, zones]) => `<optgroup label="${safe(region)}">${zones.map(option).join('')}</optgroup>`)
    .join('');
}

type TimeZoneSelectProps = Omit<ComponentProps<'select'>, 'value'> & { selected: string };

/**
 * The zones the server knows, by region. They come with the page once, as markup: a browser's own list may
 * name some differently, and hydration leaves markup like this alone.
 */
export function TimeZoneSelect({ selected, ...props }: TimeZoneSelectProps) {
  const __html = useMemo(() => optionsOf(selected), [selected]);
  return (
    <select
      {...props}
      className="input select"
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: zone names are escaped above.
      dangerouslySetInnerHTML={{ __html }}
    />
  );
}
