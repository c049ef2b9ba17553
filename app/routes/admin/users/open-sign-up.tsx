import { ActionForm } from '#app/ui/form/action-form.tsx';
import { SubmitButton } from '#app/ui/form/button.tsx';
import { Banner } from '#app/ui/layout/page.tsx';
import type { PeoplePage } from './load.ts';

/** Who was looked for has signed up, and not entered the code yet. */
export const OpenSignUp = ({ signUp }: { signUp: NonNullable<PeoplePage['signUp']> }) => (
  <Banner
    tone="info"
    title={`${signUp.name} has not verified ${signUp.email} yet`}
    className="mb-4"
    action={
      <ActionForm action={`/app/admin/sign-ups/${signUp.id}/resend`} failure="Failed to resend verification">
        <SubmitButton size="sm" variant="secondary" busyLabel="Sending…">
          Resend verification
        </SubmitButton>
      </ActionForm>
    }
  >
    They signed up on {signUp.at}. Until the code is entered there is no account.
  </Banner>
);
