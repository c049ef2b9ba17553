import type { SubmissionResult } from '@conform-to/react';
import { OpenLink } from '#app/routes/account/inline-form.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { onDemand } from '#app/ui/lazy.tsx';
import type { Profile } from './load.ts';

/** With a list of every zone, which nobody needs on most of their days. */
export const ZoneForm = onDemand(async () => (await import('./zone-form.tsx')).ZoneForm);

type Result = { result: SubmissionResult<string[]> | undefined };
type ZoneCardProps = Pick<Profile, 'timeZone' | 'time' | 'zones'> & Result & { isOpen: boolean };

export const ZoneCard = ({ timeZone, time, zones, isOpen, result }: ZoneCardProps) => (
  <Card
    id="zone"
    title="Time zone"
    description={`${timeZone.replaceAll('_', ' ')}, where it is ${time}.`}
    actions={
      !isOpen && (
        <OpenLink form="zone" card="zone">
          Change time zone
        </OpenLink>
      )
    }
  >
    {isOpen && <ZoneForm timeZone={timeZone} zones={zones} result={result} />}
  </Card>
);
