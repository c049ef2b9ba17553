import type { SubmissionResult } from '@conform-to/react';
import type { ReactNode } from 'react';
import { Dialog } from '#app/ui/components/dialog.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { FieldError, FormPanel, SubmitButton, useFormOf } from '#app/ui/form/form.tsx';
import { Banner } from '#app/ui/layout/page.tsx';
import { AmountDue } from './amount-due.tsx';
import { BackToPlans } from './back-to-plans.tsx';
import { ChooseStep } from './choose-step.tsx';
import subscribeStyles from './dialog.css?url';
import type { PaymentData, SubscribeData, WaitingData } from './load.ts';
import { PaymentStep } from './payment-step.tsx';

type SubscribeDialogProps = {
  data: SubscribeData;
  result?: SubmissionResult<string[]> | undefined;
  page?: string;
};

/** Choosing a plan and paying for it, in two steps with a URL each. */
export const SubscribeDialog = (props: SubscribeDialogProps) => (
  <>
    <link rel="stylesheet" href={subscribeStyles} precedence="subscribe" />
    <Step {...props} />
  </>
);

function Step({ data, result, page = '/app/dashboard' }: SubscribeDialogProps) {
  if (data.step === 0) {
    return (
      <Dialog title="Choose your plan" closeTo={page}>
        <Banner tone="warning" className="mt-4">
          {data.problem}
        </Banner>
        <ButtonLink to={page} replace variant="secondary" className="mt-4">
          Back
        </ButtonLink>
      </Dialog>
    );
  }
  if (data.step === 'waiting') {
    return (
      <Dialog title="We are checking your payment" closeTo={page}>
        <WaitingStep data={data} page={page} />
      </Dialog>
    );
  }
  const title = data.isUpgrade ? 'Upgrade your plan' : 'Choose your plan';
  if (data.step === 2 && data.payment?.isFree) {
    return (
      <Dialog key={2} title="Start your plan" closeTo={page}>
        <FreeStep payment={data.payment} search={data.choice.search} result={result} page={page} />
      </Dialog>
    );
  }
  return data.step === 2 && data.payment ? (
    <Dialog key={2} title="Complete your payment" closeTo={page} isWide>
      <PaymentStep payment={data.payment} search={data.choice.search} result={result} page={page} />
    </Dialog>
  ) : (
    <Dialog key={1} title={title} closeTo={page}>
      <ChooseStep data={data} page={page} />
    </Dialog>
  );
}

type FreeStepProps = {
  payment: PaymentData;
  search: string;
  result?: SubmissionResult<string[]> | undefined;
  page: string;
};

/** Without anything to pay there is nothing to verify: the plan begins immediately. */
function FreeStep({ payment, search, result, page }: FreeStepProps) {
  const [form, fields] = useFormOf<{ amount: string }>(result, { id: 'payment-proof' });
  return (
    <div className="mt-4 grid gap-5">
      <AmountDue payment={payment} isFirstStop={!result} />
      <div className="grid gap-2 text-ink-2">
        <p>
          There is nothing to pay, so there is nothing to check: your plan begins as you press the button.
        </p>
        {payment.outcome.slice(1).map((line) => (
          <p key={line} className="text-sm">
            {line}
          </p>
        ))}
      </div>
      <FormPanel
        form={form}
        failure="Failed to submit payment proof"
        isOnce
        action={`${page}?dialog=subscribe&step=2&${search}`}
        fields={{ ...payment.form, transactionId: payment.reference.replace('-', '') }}
        preventScrollReset
      >
        <FieldError field={fields.amount} />
        <SubmitButton className="w-full" busyLabel="One moment…">
          Start Plan
        </SubmitButton>
      </FormPanel>
      <BackToPlans to={`${page}?dialog=subscribe&${search}`} />
    </div>
  );
}

/** A payment that is being verified. The only way to change it is to write to support. */
function WaitingStep({ data, page }: { data: WaitingData; page: string }) {
  const { amount, plan, transactionId, checking, support } = data;
  return (
    <div className="mt-4 grid gap-4">
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-3 gap-y-1 rounded-md bg-sunken p-4">
        <Fact label="Amount">{amount}</Fact>
        <Fact label="For">{plan}</Fact>
        <Fact label="Transaction ID">
          <span className="font-mono text-sm break-all">{transactionId}</span>
        </Fact>
        <Fact label="Being checked since">{checking.since}</Fact>
      </dl>
      <p>{checking.next} There is nothing more to pay.</p>
      <div className="flex flex-wrap gap-3">
        <ButtonLink to="/app/payments" replace>
          View Payment Status
        </ButtonLink>
        <ButtonLink to={page} replace preventScrollReset variant="secondary">
          Close
        </ButtonLink>
      </div>
      <p className="border-t border-line pt-4 text-sm text-ink-2">
        Paid twice, or sent the wrong transaction ID? Write to{' '}
        <a href={support.href} className="link break-words">
          {support.address}
        </a>
        , and we put it right by hand.
      </p>
    </div>
  );
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <>
    <dt className="text-sm text-ink-3">{label}</dt>
    <dd className="min-w-0 font-medium break-words tabular-nums">{children}</dd>
  </>
);
