import type { SubmissionResult } from '@conform-to/react';
import { Dialog } from '#app/ui/components/dialog.tsx';
import { FormPanel, SubmitButton, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { type Place, pageOf } from './paths.ts';
import type { TopicView } from './present.ts';

type PauseDialogProps = {
  topic: TopicView;
  days: { first: string; last: string; usual: string };
  place: Place;
  result?: SubmissionResult<string[]> | undefined;
};

/** Leaves the turns of a topic out until a day. */
export function PauseDialog({ topic, days, place, result }: PauseDialogProps) {
  const [form, fields] = useFormOf<{ until: string }>(result, {
    id: 'pause',
    defaultValue: { until: topic.pausedUntil?.date ?? days.usual },
    constraint: { until: { required: true, min: days.first, max: days.last } },
  });
  return (
    <Dialog title={`Pause “${topic.name}”`} closeTo={pageOf(place)}>
      <p className="mt-3 text-ink-2">
        Nothing is written about it by itself before that day, and other topics take its turns. Posts that are
        already written keep their times.
      </p>
      <FormPanel form={form} failure="Failed to pause topic" className="mt-4">
        <TextField
          field={fields.until}
          type="date"
          label="Pause until"
          hint="On that day it has its turns again by itself."
        />
        <SubmitButton busyLabel="Pausing…">Pause topic</SubmitButton>
      </FormPanel>
    </Dialog>
  );
}
