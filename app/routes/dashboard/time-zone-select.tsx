import { type ComponentProps, useEffect, useMemo, useState } from 'react';

const safe = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** `zones`: the markup of all that can be chosen, when the page has come with it. */
function optionsOf(selected: string, zones: string | null): string {
  const start = `<option value="${safe(selected)}"`;
  if (zones?.includes(`${start}>`)) return zones.replace(`${start}>`, () => `${start} selected>`);
  return `${start} selected>${safe(selected.replaceAll('_', ' '))}</option>${zones ?? ''}`;
}

let asked: Promise<string | null> | undefined;

async function fetchZones(): Promise<string | null> {
  const answer = await fetch('/app/automation/zones').catch(() => undefined);
  if (answer?.ok && !answer.redirected) return answer.text();
  asked = undefined;
  return null;
}

/**
 * The zones are half as large as the rest of the page, which comes with the one that is set, unless its address asks for
 * all (`zones`). Scripts fetch them once the list is shown.
 */
export function useZones(zones: string | null, isShown: boolean): string | null {
  const [fetched, setFetched] = useState<string | null>(null);
  useEffect(() => {
    if (zones || !isShown) return;
    asked ??= fetchZones();
    void asked.then(setFetched);
  }, [zones, isShown]);
  return zones ?? fetched;
}

type TimeZoneSelectProps = Omit<ComponentProps<'select'>, 'value'> & {
  selected: string;
  zones: string | null;
};

/** A list of zones, which are markup: hydration leaves it alone. */
export function TimeZoneSelect({ selected, zones, ...props }: TimeZoneSelectProps) {
  const __html = useMemo(() => optionsOf(selected, zones), [selected, zones]);
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
