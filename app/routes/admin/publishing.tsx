import type { SubmissionResult } from '@conform-to/react';
import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { formatInstant } from '#app/domain/dates.ts';
import { PAUSE_REASON_MAX } from '#app/domain/publishing/limits.ts';
import { findPause, stopPublishing } from '#app/domain/publishing/pause.ts';
import { PauseInput } from '#app/domain/publishing/schema.ts';
import { submit } from '#app/http/forms.ts';
import { notify } from '#app/http/notice.ts';
import { actorOf } from '#app/http/session.ts';
import { ActionForm } from '#app/ui/action-form.tsx';
import { Badge } from '#app/ui/badge.tsx';
import { Card } from '#app/ui/card.tsx';
import { FormPanel, SubmitButton, TextArea, TextField, useFormOf } from '#app/ui/form.tsx';
import { Banner, PageHeader } from '#app/ui/page.tsx';
import type { Route } from './+types/publishing.ts';
import { AdminTabs, PUBLISHING } from './admin-tabs.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Publishing – Tidepost' }];

export async function loader({ context }: Route.LoaderArgs) {
  const { timeZone } = actorOf(context);
  const pause = await findPause(db(), new Date());
  const until = pause?.until ? formatInstant(pause.until, timeZone) : null;
  const stands = pause?.by === 'admin' ? standsOf(pause, timeZone) : null;
  return { timeZone, pause: pause ? { by: pause.by, reason: pause.reason, until } : null, stands };
}

type Stop = NonNullable<Awaited<ReturnType<typeof findPause>>>;

/** What holds now, as the form has it; `since` is another one with each change. */
const standsOf = ({ reason, until, since }: Stop, timeZone: string) => ({
  ...{ reason, until: localOf(until, timeZone), since: since?.toISOString() },
});

/** As a datetime-local field has it; empty for no end. */
const localOf = (at: Date | null, timeZone: string) =>
  at
    ? Temporal.Instant.fromEpochMilliseconds(at.getTime())
        .toZonedDateTimeISO(timeZone)
        .toPlainDateTime()
        .toString({ smallestUnit: 'minute' })
    : '';

export const action = ({ request, context }: Route.ActionArgs) =>
  submit({ request, context }, PauseInput, async (input) => {
    await stopPublishing(db(), actorOf(context), input);
    notify(context, 'success', 'Publishing is paused for everybody');
    return redirect(PUBLISHING);
  });

export default function Publishing({ loaderData, actionData }: Route.ComponentProps) {
  const { pause, stands, timeZone } = loaderData;
  const isStopped = pause?.by === 'admin';
  return (
    <>
      <PageHeader
        title="Publishing"
        description="One switch for everybody: while it is off, nothing is sent to LinkedIn."
        badge={<Badge tone={pause ? 'warning' : 'success'}>{pause ? 'Paused' : 'On'}</Badge>}
      />
      <AdminTabs current="publishing" />
      {pause && <Standing pause={pause} />}
      <Card
        title={isStopped ? 'Change the reason or the end' : 'Pause publishing'}
        description="Posts keep their places. What is too late when publishing goes on takes the next free time of its owner. Users read the reason."
      >
        <PauseForm key={stands?.since} result={actionData} timeZone={timeZone} stands={stands} />
      </Card>
    </>
  );
}

type Pause = NonNullable<Route.ComponentProps['loaderData']['pause']>;

/** Why nothing is sent now, and the button that ends it where an admin can. */
const Standing = ({ pause: { by, reason, until } }: { pause: Pause }) => (
  <Banner
    tone="warning"
    className="mb-6"
    title={`Publishing is paused ${until ? `until ${until}` : 'until you resume it'}`}
    action={
      by === 'admin' && (
        <ActionForm action={`${PUBLISHING}/resume`}>
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
  stands: ReturnType<typeof standsOf> | null;
};

function PauseForm({ result, timeZone, stands }: PauseFormProps) {
  const [form, fields] = useFormOf<{ reason: string; until?: string }>(result, {
    id: 'pause',
    defaultValue: stands ? { reason: stands.reason, until: stands.until } : undefined,
    constraint: { reason: { required: true, maxLength: PAUSE_REASON_MAX } },
  });
  return (
    <FormPanel form={form} className="max-w-xl">
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
        <SubmitButton variant={stands ? 'primary' : 'danger'} busyLabel={stands ? 'Saving…' : 'Pausing…'}>
          {stands ? 'Save' : 'Pause publishing'}
        </SubmitButton>
      </div>
    </FormPanel>
  );
}
