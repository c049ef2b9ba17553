import { Card } from '#app/ui/components/card.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { SubmitButton } from '#app/ui/form/button.tsx';
import { StandingErrors } from '#app/ui/messages/inline-notices.tsx';

/** An account that is to be deleted, and the button that keeps it. */
export const LeavingCard = ({ at, isErasing }: { at: string; isErasing: boolean }) => (
  <Card
    id="leaving"
    title={isErasing ? 'Your account is being deleted' : `Your account will be deleted on ${at}`}
  >
    <p className="text-pretty text-ink-2">
      {isErasing
        ? 'That cannot be undone any more. We mail you when it is done.'
        : 'Until then nothing is written or published, and everything keeps its place. If you keep the account, writing and publishing go on. Programs then need new API tokens.'}
    </p>
    <StandingErrors isHere={(place) => place === 'leaving'} />
    {!isErasing && (
      <ActionForm action="/app/account/data/keep" failure="Failed to keep the account" className="mt-5">
        <SubmitButton busyLabel="Keeping…">Keep my account</SubmitButton>
      </ActionForm>
    )}
  </Card>
);
