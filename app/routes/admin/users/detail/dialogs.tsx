import type { SubmissionResult } from '@conform-to/react';
import { useSearchParams } from 'react-router';
import { DISABLE_REASON_MAX } from '#app/domain/accounts/limits.ts';
import { EXTENSION_DAYS_MAX, EXTENSION_REASON_MAX } from '#app/domain/payments/limits.ts';
import { userAddress } from '#app/routes/admin/users/paths.ts';
import { Dialog, DialogButtons } from '#app/ui/components/dialog.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { FormPanel, TextArea, TextField, useFormOf } from '#app/ui/form/form.tsx';
import type { PresentedUserPage } from './present.ts';

type Result = SubmissionResult<string[]> | undefined;
type DialogProps = { user: PresentedUserPage; result: Result };

export function UserDialogs(props: DialogProps) {
  const dialog = useSearchParams()[0].get('dialog');
  const { disabled, isOwn, activePlan } = props.user;
  if (dialog === 'end-sessions') return <EndSessions {...props} />;
  if (dialog === 'extend' && activePlan) return <Extend {...props} activePlan={activePlan} />;
  if (dialog === 'disable' && !disabled && !isOwn) return <Disable {...props} />;
  return dialog === 'enable' && disabled ? <Enable {...props} /> : null;
}

function EndSessions({ user: { id, name } }: DialogProps) {
  const closeTo = userAddress(id);
  return (
    <Dialog title="End all sessions?" closeTo={closeTo} tone="danger">
      <p className="mt-3 mb-5 text-ink-2">
        {name} is signed out of every browser, and every token of theirs is over. They can sign in again.
      </p>
      <ActionForm failure="Failed to end the sessions">
        <DialogButtons closeTo={closeTo} isDanger busyLabel="Ending…">
          End all sessions
        </DialogButtons>
      </ActionForm>
    </Dialog>
  );
}

function Enable({ user: { id, name } }: DialogProps) {
  const closeTo = userAddress(id);
  return (
    <Dialog title="Enable this account?" closeTo={closeTo}>
      <p className="mt-3 mb-5 text-ink-2">
        {name} can sign in again, and is mailed so. What was held takes the next free times; nothing is sent
        at once.
      </p>
      <ActionForm failure="Failed to enable the account">
        <DialogButtons closeTo={closeTo} busyLabel="Enabling…">
          Enable account
        </DialogButtons>
      </ActionForm>
    </Dialog>
  );
}

function Disable({ user: { id, name }, result }: DialogProps) {
  const closeTo = userAddress(id);
  const [form, fields] = useFormOf<{ reason: string }>(result, {
    id: 'disable',
    constraint: { reason: { required: true, maxLength: DISABLE_REASON_MAX } },
  });
  return (
    <Dialog title="Disable this account?" closeTo={closeTo} tone="danger">
      <p className="mt-3 mb-5 text-ink-2">
        Publishing for {name} stops at once, they are signed out everywhere and cannot sign in. Their posts,
        their plan and its end stay as they are.
      </p>
      <FormPanel form={form} failure="Failed to disable the account">
        <TextArea
          field={fields.reason}
          label="Reason"
          hint="It is mailed to them, and stands in the audit log and in what they can export of their data."
          rows={3}
        />
        <DialogButtons closeTo={closeTo} isDanger busyLabel="Disabling…">
          Disable account
        </DialogButtons>
      </FormPanel>
    </Dialog>
  );
}

type ExtendProps = DialogProps & { activePlan: NonNullable<PresentedUserPage['activePlan']> };

function Extend({ user: { id, name }, activePlan: { until, endsAt }, result }: ExtendProps) {
  const closeTo = userAddress(id);
  const [form, fields] = useFormOf<{ days: string; reason: string }>(result, {
    id: 'extend',
    constraint: { days: { required: true }, reason: { required: true, maxLength: EXTENSION_REASON_MAX } },
  });
  return (
    <Dialog title="Extend this plan?" closeTo={closeTo}>
      <p className="mt-3 mb-5 text-ink-2">
        The plan of {name} runs until {until}. It ends later by the days that you give, which cost nothing; a
        plan that follows begins later.
      </p>
      <FormPanel form={form} fields={{ endsAt }} failure="Failed to extend the plan">
        <TextField
          field={fields.days}
          label="Days"
          inputMode="numeric"
          autoComplete="off"
          hint={`1 to ${EXTENSION_DAYS_MAX}.`}
        />
        <TextArea
          field={fields.reason}
          label="Reason"
          hint="It is mailed to them, and stands in the audit log."
          rows={3}
        />
        <DialogButtons closeTo={closeTo} busyLabel="Extending…">
          Extend plan
        </DialogButtons>
      </FormPanel>
    </Dialog>
  );
}
