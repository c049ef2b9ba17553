import type { SubmissionResult } from '@conform-to/react';
import { Dialog } from '#app/ui/components/dialog.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { Banner } from '#app/ui/layout/page.tsx';
import { ChooseStep } from './choose-step.tsx';
import subscribeStyles from './dialog.css?url';
import { FreeStep } from './free-step.tsx';
import type { SubscribeData } from './load.ts';
import { PaymentStep } from './payment-step.tsx';
import { WaitingStep } from './waiting-step.tsx';

type SubscribeDialogProps = {
  data: SubscribeData;
  /** What was wrong with a submitted transaction. */
  result?: SubmissionResult<string[]> | undefined;
  /** The page it opens on; closing leads there. */
  page?: string;
};

/** Choosing a plan and paying for it, in two steps that are two addresses of the page below it. */
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
