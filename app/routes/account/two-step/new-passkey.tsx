import { getFormProps } from '@conform-to/react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { redirect, useSubmit } from 'react-router';
import { db } from '#app/db/client.ts';
import { PASSKEY_NAME_MAX } from '#app/domain/accounts/limits.ts';
import { findReauthMethod } from '#app/domain/accounts/reauthenticate.ts';
import { type NewPasskeyForm, PasskeyRegistration } from '#app/domain/accounts/schema.ts';
import { addPasskey } from '#app/domain/accounts/two-step/register-passkey.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { relyingParty, requireChallenge } from '#app/http/session/passkey-cookie.ts';
import { actorOf, signedInOf } from '#app/http/session/session.ts';
import { AccountPage } from '#app/routes/account/layout.tsx';
import { ProofFields, type ProofKind } from '#app/routes/account/proof-fields.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { canUsePasskeys, createPasskey, isIpHost, NoPasskey } from '#app/ui/components/webauthn.ts';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { FormAlert } from '#app/ui/form/errors.tsx';
import { TextField, useFormOf } from '#app/ui/form/form.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { Banner } from '#app/ui/layout/page.tsx';
import { useHydrated } from '#app/ui/use-hydrated.ts';
import type { Route } from './+types/new-passkey.ts';
import { RecoveryCodes } from './shown-codes.tsx';

const SECURITY = '/app/account/security';

const UNSUPPORTED =
  'This browser cannot make a passkey here. Try another browser, or a phone or computer with a screen lock.';

const AT_IP_ADDRESS =
  'A passkey belongs to a name, and this page was opened at an address of numbers. Open Tidepost at its name to add one.';

export const meta: Route.MetaFunction = () =>
  pageMeta('New passkey', 'Add a passkey, so that you sign in without a password.');

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export const loader = async ({ context }: Route.LoaderArgs) => ({
  proof: await findReauthMethod(db(), actorOf(context)),
});

export function action({ request, context }: Route.ActionArgs) {
  return submit({ context }, PasskeyRegistration, async (input) => {
    const attestation = { ...input, challengeId: await requireChallenge(request) };
    const codes = await addPasskey(db(), signedInOf(context), attestation, relyingParty(request));
    setFlash(context, 'success', 'Your passkey was added');
    return codes ? { codes } : redirect(`${SECURITY}#passkeys`);
  });
}

export default function NewPasskey({ loaderData: { proof }, actionData }: Route.ComponentProps) {
  if (actionData && 'codes' in actionData) return <RecoveryCodes codes={actionData.codes} />;
  const refused = Object.values(actionData?.error ?? {}).flatMap((messages) => messages ?? []);
  return (
    <AccountPage
      current="security"
      description="Your fingerprint, face or security key in place of a password."
    >
      <Card title="Add a passkey">
        <Unsupported />
        <PasskeyForm proof={proof} refused={refused} />
      </Card>
    </AccountPage>
  );
}

function Unsupported() {
  const isHydrated = useHydrated();
  if (isHydrated && canUsePasskeys()) return null;
  if (isHydrated) return <Warning>{isIpHost() ? AT_IP_ADDRESS : UNSUPPORTED}</Warning>;
  return (
    <noscript>
      <Warning>Adding a passkey needs scripts in your browser.</Warning>
    </noscript>
  );
}

const Warning = ({ children }: { children: ReactNode }) => (
  <Banner tone="warning" className="mb-5">
    {children}
  </Banner>
);

/** Creates the passkey in the browser, then submits it. */
function useCreatePasskey() {
  const submitForm = useSubmit();
  const [isBusy, setBusy] = useState(false);
  const [errors, setErrors] = useState<string[] | null>(null);
  const create = async (event: FormEvent<HTMLFormElement>) => {
    // The button that mails a code posts to another address.
    if ((event.nativeEvent as SubmitEvent).submitter?.hasAttribute('formaction')) return;
    event.preventDefault();
    const typed = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
    setBusy(true);
    setErrors([]);
    try {
      const response = await createPasskey('/app/account/passkeys/options', typed);
      await submitForm({ name: typed.name ?? '', response }, { method: 'post' });
    } catch (error) {
      if (!(error instanceof NoPasskey)) throw error;
      setErrors([error.message]);
    } finally {
      setBusy(false);
    }
  };
  return { create, isBusy, errors };
}

function PasskeyForm({ proof, refused }: { proof: ProofKind; refused: string[] }) {
  const constraint = { name: { required: true, maxLength: PASSKEY_NAME_MAX } };
  const [form, fields] = useFormOf<NewPasskeyForm>(null, { id: 'new-passkey', constraint });
  const { create, isBusy, errors } = useCreatePasskey();
  const isHydrated = useHydrated();
  return (
    <ActionForm
      {...getFormProps(form)}
      failure="Failed to add the passkey"
      className="form"
      onSubmit={create}
    >
      <FormAlert id="new-passkey-error" errors={errors ?? refused} />
      <TextField
        field={fields.name}
        label="Name"
        hint="Such as the device that it is on"
        autoComplete="off"
      />
      <ProofFields kind={proof} fields={fields} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton isBusy={isBusy} disabled={!isHydrated || !canUsePasskeys()} busyLabel="Waiting…">
          Make the passkey
        </SubmitButton>
        <ButtonLink to={SECURITY} variant="ghost">
          Cancel
        </ButtonLink>
      </div>
    </ActionForm>
  );
}
