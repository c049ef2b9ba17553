import { type ComponentProps, useMemo } from 'react';

const place = (zone: string) => zone.slice(zone.indexOf('/') + 1).replaceAll('_', ' ');
const safe = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
const startOf = (zone: string) => `<option value="${safe(zone)}"`;

function optionsFor(zones: Iterable<string>): string {
  const sorted = [...new Set(zones)].sort();
  const regions = Map.groupBy(sorted, (zone) => (zone.includes('/') ? zone.split('/')[0]! : 'Other'));
  const option = (zone: string) => `${startOf(zone)}>${safe(place(zone))}</option>`;
  return [...regions]
    .map(([region, list]) => `<optgroup label="${safe(region)}">${list.map(option).join('')}</optgroup>`)
    .join('');
}

const known = () => ['UTC', ...Intl.supportedValuesOf('timeZone')];
let everyOption: string | undefined;

/** The markup of every zone is made once; a zone that is not among them is rare. */
function optionsOf(selected: string): string {
  everyOption ??= optionsFor(known());
  const start = startOf(selected);
  const options = everyOption.includes(`${start}>`) ? everyOption : optionsFor([...known(), selected]);
  return options.replace(`${start}>`, () => `${start} selected>`);
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
