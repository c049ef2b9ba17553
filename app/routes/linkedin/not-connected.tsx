import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { AuthLayout } from '#app/ui/layout/auth-layout.tsx';

/** `as`: the account to which this browser is signed in, when it is not the one that LinkedIn is connected for. */
type NotConnectedProps = { why: string; as: string | null };

/** Why a connection that was begun for an account comes to nothing in this browser. */
export const NotConnected = ({ why, as }: NotConnectedProps) => (
  <AuthLayout title="LinkedIn is not connected" lead={why}>
    {as === null ? (
      <ButtonLink to="/app/linkedin" className="w-full">
        Go to LinkedIn in Tidepost
      </ButtonLink>
    ) : (
      <ActionForm action="/logout" failure="Failed to sign out">
        <p className="mb-4 text-ink-2">
          You are signed in as <strong className="break-words text-ink">{as}</strong>.
        </p>
        <SubmitButton className="w-full">Sign out</SubmitButton>
      </ActionForm>
    )}
  </AuthLayout>
);
