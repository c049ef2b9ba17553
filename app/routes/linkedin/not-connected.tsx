import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { AuthLayout } from '#app/ui/layout/auth-layout.tsx';

/** `signedInAs`: the user whom this browser is signed in as, if that isn't the user whose LinkedIn is connected. */
type NotConnectedProps = { why: string; signedInAs: string | null };

export const NotConnected = ({ why, signedInAs }: NotConnectedProps) => (
  <AuthLayout title="LinkedIn is not connected" lead={why}>
    {signedInAs === null ? (
      <ButtonLink to="/app/linkedin" className="w-full">
        Go to LinkedIn in Tidepost
      </ButtonLink>
    ) : (
      <ActionForm action="/logout" failure="Failed to sign out">
        <p className="mb-4 text-ink-2">
          You are signed in as <strong className="break-words text-ink">{signedInAs}</strong>.
        </p>
        <SubmitButton className="w-full">Sign out</SubmitButton>
      </ActionForm>
    )}
  </AuthLayout>
);
