import type { ComponentProps } from 'react';

const regionOf = (zone: string) => (zone.includes('/') ? zone.split('/')[0]! : 'Other');
const cityOf = (zone: string) => zone.slice(zone.indexOf('/') + 1).replaceAll('_', ' ');

type TimeZoneSelectProps = Omit<ComponentProps<'select'>, 'value'> & {
  selected: string;
  zones: string[];
};

export const TimeZoneSelect = ({ selected, zones, ...props }: TimeZoneSelectProps) => (
  <select {...props} defaultValue={selected} className="input select">
    {!zones.includes(selected) && <option value={selected}>{selected.replaceAll('_', ' ')}</option>}
    {[...Map.groupBy(zones, regionOf)].map(([region, inRegion]) => (
      <optgroup key={region} label={region}>
        {inRegion.map((zone) => (
          <option key={zone} value={zone}>
            {cityOf(zone)}
          </option>
        ))}
      </optgroup>
    ))}
  </select>
);
