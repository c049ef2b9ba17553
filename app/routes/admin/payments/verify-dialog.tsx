import type { ReactNode } from 'react';
import { ConfirmDialog, Dialog } from '#app/ui/components/dialog.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { Banner } from '#app/ui/layout/page.tsx';
import type { PendingPayment } from './present.ts';
import { SameScreenshot } from './same-screenshot.tsx';

const TITLE = 'Verify this payment?';

type VerifyDialogProps = { payment: PendingPayment; closeTo: string };

/** Shows what verifying would do, and no button where it would be refused. */
export function VerifyDialog({ payment, closeTo }: VerifyDialogProps) {
  const { review, outcome, id } = payment;
  const body = <Body payment={payment} />;
  if (outcome.isRefused || review?.step === 'done') {
    return (
      <Dialog title={TITLE} closeTo={closeTo}>
        <div className="mt-3 text-ink-2">{body}</div>
        <p className="mt-6 flex justify-end">
          <ButtonLink to={closeTo} replace preventScrollReset variant="secondary" data-first-stop>
            Back
          </ButtonLink>
        </p>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      failure="Failed to verify payment"
      title={TITLE}
      body={body}
      closeTo={closeTo}
      confirmLabel={review?.step === 'first' ? 'Verify as the first of two' : 'Verify payment'}
      action={`/app/admin/payments/${id}/verify`}
      tone="neutral"
    />
  );
}

function Body({ payment }: { payment: PendingPayment }) {
  const { payerName, amount, method, transactionId, reference, credit, plan, outcome } = payment;
  return (
    <div className="flex flex-col gap-4">
      <p>
        {payerName} pays {amount} by {method}, transaction{' '}
        <span className="inline-flex font-mono break-all text-ink">{transactionId}</span>, reference{' '}
        <span className="font-mono whitespace-nowrap text-ink">{reference}</span>.
      </p>
      {payment.sameScreenshot && (
        <Banner tone="warning">
          <SameScreenshot {...payment.sameScreenshot} />
        </Banner>
      )}
      <ReviewBanner payment={payment} />
      {!outcome.isRefused && (
        <section className="foreseen" aria-label="What verifying does">
          <dl>
            <Fact label="Plan">{plan}</Fact>
            <Fact label="Starts">{outcome.starts}</Fact>
            <Fact label="Ends">{outcome.ends}</Fact>
            {credit && <Fact label="Credit">{credit} for unused time</Fact>}
          </dl>
          {outcome.changes.length > 0 && (
            <ul>
              {outcome.changes.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          )}
          <p className="text-sm text-ink-3">
            {outcome.changes.length === 0 && 'Nothing else changes. '}Times in {outcome.zone}, where the payer
            is.
          </p>
        </section>
      )}
    </div>
  );
}

const REVIEW_TEXTS = {
  first: () =>
    'It is so large that two admins verify it. Yours is the first look: it is written down, and nothing of what follows happens before another admin has verified it, too.',
  second: (by: string) => `${by} has verified it already. Yours is the second look: the plan starts with it.`,
  done: () => 'You have verified it already. It is so large that another admin has to verify it, too.',
};

function ReviewBanner({ payment: { review, outcome } }: { payment: PendingPayment }) {
  if (outcome.isRefused) {
    return (
      <Banner tone="warning">
        All that this payment was to be paid with has been used meanwhile. Verifying it is refused: please
        reject it.
      </Banner>
    );
  }
  return (
    review && (
      <Banner tone={review.step === 'second' ? 'info' : 'warning'}>
        {REVIEW_TEXTS[review.step](review.by ?? '')}
      </Banner>
    )
  );
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);
