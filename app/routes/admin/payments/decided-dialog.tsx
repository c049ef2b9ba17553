import { Dialog } from '#app/ui/components/dialog.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import type { Decided } from './describe-decided.ts';

type DecidedDialogProps = { decided: Decided; closeTo: string };

/** In the place of a question about a payment that was decided meanwhile. */
export const DecidedDialog = ({ decided: { title, text, reason, ledger }, closeTo }: DecidedDialogProps) => (
  <Dialog title={title} closeTo={closeTo}>
    <p className="mt-3 text-ink-2">{text}</p>
    {reason && <blockquote className="decided-reason">{reason}</blockquote>}
    <p className="mt-6 flex flex-wrap justify-end gap-3">
      <ButtonLink to={closeTo} replace preventScrollReset variant="secondary">
        Back to the list
      </ButtonLink>
      {ledger && <ButtonLink to={ledger}>Open the ledger</ButtonLink>}
    </p>
  </Dialog>
);
