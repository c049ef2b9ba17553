import type { SubmissionResult } from '@conform-to/react';
import { redirect } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { findReauthMethod } from '#app/domain/accounts/reauthenticate.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import {
  CONFIRM,
  findPendingForm,
  PROOF_FIELDS,
  requireRecentAuth,
} from '#app/http/session/require-recent-auth.ts';
import { Card } from '#app/ui/components/card.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { FormPanel, PasswordField, SubmitButton, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { PageHeader } from '#app/ui/layout/page.tsx';
import type { Route } from './+types/confirm-identity.ts';

export const meta: Route.MetaFunction = () =>
  pageMeta('Confirm that it is you', 'Say once more who you are before something important is changed.');

export async function loader({ request, context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext)!;
  const pending = await findPendingForm(request, viewer);
  if (!pending) throw redirect('/app');
  const { to, fields, problem } = pending;
  const kind = await findReauthMethod(db(), viewer.actor);
  const name = kind === 'password' ? PROOF_FIELDS.password : PROOF_FIELDS.otp;
  // Made here and not while rendering: the form resets for each new object.
  const result: SubmissionResult<string[]> | null = problem
    ? { status: 'error', initialValue: {}, error: { [name]: [problem] } }
    : null;
  return { to, back: to === CONFIRM ? '/app' : to, fields, kind, name, result };
}

export const middleware: Route.MiddlewareFunction[] = [requireRecentAuth];

/** Reached without a pending form: the form is open in another tab. */
export function action({ context }: Route.ActionArgs) {
  setFlash(context, 'success', 'It is you. Now send your text once more, in the other tab.');
  return redirect('/app');
}

const INSTRUCTIONS = { password: 'Enter your password', code: 'Have a code mailed and enter it' };

export default function ConfirmIdentity({ loaderData }: Route.ComponentProps) {
  const { to, back, fields, kind, name, result } = loaderData;
  const [form, { [name]: proof }] = useFormOf<Record<string, string>>(result, {
    id: 'confirm',
    constraint: { [name]: { required: true } },
  });
  return (
    <>
      <PageHeader
        title="Confirm that it is you"
        description={`It has been a while since you did. ${INSTRUCTIONS[kind]}, and what you asked for goes on.`}
      />
      <Card className="max-w-lg">
        {kind === 'code' && (
          <ActionForm action="/app/confirm/code" failure="Failed to send the code" className="mb-4">
            <SubmitButton variant="secondary" size="sm">
              Mail me a code
            </SubmitButton>
          </ActionForm>
        )}
        <FormPanel form={form} action={to} failure="Failed to confirm" warnsOnLeave={false}>
          {fields.map(([field, value], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names repeat, and the order never changes
            <input key={index} type="hidden" name={field} value={value} />
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
