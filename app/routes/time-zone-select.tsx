import { type ComponentProps, useState } from 'react';

const safe = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** `zones`: the markup of all that can be chosen. */
function optionsOf(selected: string, zones: string): string {
  const start = `<option value="${safe(selected)}"`;
  if (zones.includes(`${start}>`)) return zones.replace(`${start}>`, () => `${start} selected>`);
  return `${start} selected>${safe(selected.replaceAll('_', ' '))}</option>${zones}`;
}

type TimeZoneSelectProps = Omit<ComponentProps<'select'>, 'value'> & {
  selected: string;
  zones: string;
};

/** A list of zones, which are markup: hydration leaves it alone. */
export function TimeZoneSelect({ selected, zones, ...props }: TimeZoneSelectProps) {
  // What was chosen meanwhile is not chosen anew.
  const [__html] = useState(() => optionsOf(selected, zones));
  return (
    <select
      {...props}
      className="input select"
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: what is selected is escaped above, the list is ours.
      dangerouslySetInnerHTML={{ __html }}
    />
  );
}
