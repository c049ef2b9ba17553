import type { SubmissionResult } from '@conform-to/react';
import { redirect } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { findReauthMethod } from '#app/domain/accounts/reauthenticate.ts';
import { notify } from '#app/http/forms/flash.ts';
import {
  CONFIRM,
  findWaiting,
  PROOF_FIELDS,
  requireRecentAuth,
} from '#app/http/session/require-recent-auth.ts';
import { Card } from '#app/ui/components/card.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { FormPanel, PasswordField, SubmitButton, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { PageHeader } from '#app/ui/layout/page.tsx';
import type { Route } from './+types/confirm-identity.ts';

export const meta: Route.MetaFunction = () => [
  { title: 'Confirm that it is you – Tidepost' },
  { name: 'description', content: 'Say once more who you are before something important is changed.' },
];

/** Nothing waits in a browser that comes here by itself. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext)!;
  const waiting = await findWaiting(request, viewer);
  if (!waiting) throw redirect('/app');
  const { to, fields, problem } = waiting;
  const kind = await findReauthMethod(db(), viewer.actor);
  const name = kind === 'password' ? PROOF_FIELDS.password : PROOF_FIELDS.otp;
  // One object for as long as the page shows it: the form would take each new one for another answer.
  const result: SubmissionResult<string[]> | null = problem
    ? { status: 'error', initialValue: {}, error: { [name]: [problem] } }
    : null;
  return { to, back: to === CONFIRM ? '/app' : to, fields, kind, name, result };
}

export const middleware: Route.MiddlewareFunction[] = [requireRecentAuth];

/** What waits stands in another tab. */
export function action({ context }: Route.ActionArgs) {
  notify(context, 'success', 'It is you. Now send your text once more, in the other tab.');
  return redirect('/app');
}

const HOW = { password: 'Enter your password', code: 'Have a code mailed and enter it' };

export default function ConfirmOwner({ loaderData }: Route.ComponentProps) {
  const { to, back, fields, kind, name, result } = loaderData;
  const [form, { [name]: proof }] = useFormOf<Record<string, string>>(result, {
    id: 'confirm',
    constraint: { [name]: { required: true } },
  });
  return (
    <>
      <PageHeader
        title="Confirm that it is you"
        description={`It has been a while since you did. ${HOW[kind]}, and what you asked for goes on.`}
      />
      <Card className="max-w-lg">
        {kind === 'code' && <MailCode />}
        <FormPanel form={form} action={to} failure="Failed to confirm" asksToLeave={false}>
          {fields.map(([field, value], nth) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a field may come more than once, and none is ever moved
            <input key={nth} type="hidden" name={field} value={value} />
          ))}
          {kind === 'password' ? (
            <PasswordField field={proof!} label="Your password" autoFocus />
          ) : (
            <TextField
              field={proof!}
              label="Code from your mail"
              inputMode="numeric"
              autoComplete="one-time-code"
            />
          )}
          <div className="flex flex-wrap gap-3">
            <SubmitButton busyLabel="Confirming…">Confirm</SubmitButton>
            <ButtonLink to={back} variant="ghost">
              Cancel
            </ButtonLink>
          </div>
        </FormPanel>
      </Card>
    </>
  );
}

const MailCode = () => (
  <ActionForm action="/app/confirm/code" failure="Failed to send the code" className="mb-4">
    <SubmitButton variant="secondary" size="sm">
      Mail me a code
    </SubmitButton>
  </ActionForm>
);
