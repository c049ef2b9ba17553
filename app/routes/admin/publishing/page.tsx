import type { SubmissionResult } from '@conform-to/react';
import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { formatInstant } from '#app/domain/platform/dates.ts';
import { PAUSE_REASON_MAX } from '#app/domain/publishing/limits.ts';
import { findPauses, type Pause, stopPublishing } from '#app/domain/publishing/safety/pause.ts';
import { PauseInput } from '#app/domain/publishing/schema.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { requireRecentAuth } from '#app/http/session/require-recent-auth.ts';
import { actorOf } from '#app/http/session/session.ts';
import { AdminTabs, PUBLISHING } from '#app/routes/admin/tabs.tsx';
import { Badge } from '#app/ui/components/badge.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { FormPanel, SubmitButton, TextArea, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { Banner, PageHeader } from '#app/ui/layout/page.tsx';
import type { Route } from './+types/page.ts';

/** Pausing must be quick. Changing a pause can end it earlier, so that needs a recent confirmation, as resuming does. */
const confirmChange: Route.MiddlewareFunction = async (args, next) => {
  const pauses = await findPauses(db(), new Date());
  return pauses.some(({ by }) => by === 'admin') ? requireRecentAuth(args, next) : next();
};

export const middleware: Route.MiddlewareFunction[] = [confirmChange];

export const meta: Route.MetaFunction = () =>
  pageMeta('Publishing', 'Stop publishing for everybody, and let it go on again.');

export async function loader({ context }: Route.LoaderArgs) {
  const { timeZone } = actorOf(context);
  const pauses = await findPauses(db(), new Date());
  const byAdmin = pauses.find(({ by }) => by === 'admin');
  return {
    timeZone,
    pauses: pauses.map(({ by, reason, until }) => ({
      by,
      reason,
      until: until && formatInstant(until, timeZone),
    })),
    current: byAdmin ? presentFields(byAdmin, timeZone) : null,
  };
}

/** `since` changes with each change of the pause, so it is the key of the form. */
const presentFields = ({ reason, until, since }: Pause, timeZone: string) => ({
  reason,
  until: formatLocal(until, timeZone),
  since: since?.toISOString(),
});

/** The value of a datetime-local input. */
const formatLocal = (at: Date | null, timeZone: string) =>
  at
    ? Temporal.Instant.fromEpochMilliseconds(at.getTime())
        .toZonedDateTimeISO(timeZone)
        .toPlainDateTime()
        .toString({ smallestUnit: 'minute' })
    : '';

export const action = ({ context }: Route.ActionArgs) =>
  submit({ context }, PauseInput, async (input) => {
    await stopPublishing(db(), actorOf(context), input);
    setFlash(context, 'success', 'Publishing is paused for everybody');
    return redirect(PUBLISHING);
  });

export default function Publishing({ loaderData, actionData }: Route.ComponentProps) {
  const { pauses, current, timeZone } = loaderData;
  const isOn = pauses.length === 0;
  return (
    <>
      <PageHeader
        title="Publishing"
        description="One switch for everybody: while it is off, nothing is sent to LinkedIn."
        badge={<Badge tone={isOn ? 'success' : 'warning'}>{isOn ? 'On' : 'Stopped'}</Badge>}
      />
      <AdminTabs current={PUBLISHING} />
      {pauses.map((pause) => (
        <PauseCard key={pause.by} pause={pause} />
      ))}
      <Card
        title={current ? 'Change the reason or the end' : 'Pause publishing'}
        description="Posts keep their places. What is too late when publishing goes on takes the next free time of its owner. Users read the reason."
      >
        <PauseForm key={current?.since} result={actionData} timeZone={timeZone} current={current} />
      </Card>
    </>
  );
}

type PresentedPause = Route.ComponentProps['loaderData']['pauses'][number];

const ENDS: Record<PresentedPause['by'], string> = {
  release: 'until an operator has looked',
  clock: 'until the clock has caught up',
  admin: 'until you resume it',
  linkedin: 'for a while',
};

const PauseCard = ({ pause: { by, reason, until } }: { pause: PresentedPause }) => (
  <Banner
    tone="warning"
    className="mb-6"
    title={`Publishing is stopped ${by === 'clock' ? `${ENDS.clock}, ${until} at the latest` : until ? `until ${until}` : ENDS[by]}`}
    action={
      by === 'admin' && (
        <ActionForm action={`${PUBLISHING}/resume`} failure="Failed to resume publishing">
          <SubmitButton size="sm" busyLabel="Resuming…">
            Resume publishing
          </SubmitButton>
        </ActionForm>
      )
    }
  >
    {reason}
  </Banner>
);

type PauseFormProps = {
  result?: SubmissionResult<string[]>;
  timeZone: string;
  current: ReturnType<typeof presentFields> | null;
};

function PauseForm({ result, timeZone, current }: PauseFormProps) {
  const [form, fields] = useFormOf<{ reason: string; until?: string }>(result, {
    id: 'pause',
    defaultValue: current ? { reason: current.reason, until: current.until } : undefined,
    constraint: { reason: { required: true, maxLength: PAUSE_REASON_MAX } },
  });
  return (
    <FormPanel form={form} failure="Failed to pause publishing" className="max-w-xl">
      <TextArea
        field={fields.reason}
        label="Reason"
        hint="Users read it after “Publishing is paused:”."
        rows={3}
      />
      <TextField
        field={fields.until}
        type="datetime-local"
        label="End (optional)"
        hint={`On the clock of ${timeZone.replaceAll('_', ' ')}. Left empty, it lasts until you resume it.`}
      />
      <div>
        <SubmitButton variant={current ? 'primary' : 'danger'} busyLabel={current ? 'Saving…' : 'Pausing…'}>
          {current ? 'Save' : 'Pause publishing'}
        </SubmitButton>
      </div>
    </FormPanel>
  );
}
