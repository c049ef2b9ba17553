import { CircleX, ShieldCheck } from 'lucide-react';
import { Badge } from '#app/ui/components/badge.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { SubmitButton } from '#app/ui/form/button.tsx';
import { FormAlert } from '#app/ui/form/errors.tsx';
import { Banner } from '#app/ui/layout/page.tsx';
import type { ChooseData } from './load.ts';
import { CountChoice, CurrencyChoice, StartChoice } from './plan-choices.tsx';
import { useShownChoice } from './use-choice.ts';

/** Posts a day, currency and start. A GET form: the address carries the choice, and prices follow it. */
export function ChooseStep({ data, page }: { data: ChooseData; page: string }) {
  const { isUpgrade, currentPlan, problem, canContinue } = data;
  const { around, count, choose, follow, errors } = useShownChoice(data, page);
  return (
    <ActionForm
      method="get"
      failure="Failed to create payment request"
      action={page}
      fields={{ dialog: 'subscribe' }}
      preventScrollReset
      onChange={follow}
      className="form mt-4"
    >
      {/* The first button of a form is what Enter presses. */}
      <button type="submit" name="step" value="2" tabIndex={-1} aria-hidden className="sr-only" />
      <FormAlert id="pricing" errors={errors} />
      {problem && <Banner tone="warning">{problem}</Banner>}
      {currentPlan && (
        <p className="text-ink-2">
          You have {currentPlan.label} until {currentPlan.endsOn}.
        </p>
      )}
      <div ref={around} className="contents">
        <CountChoice data={data} count={count} choose={choose} />
      </div>
      <CurrencyChoice data={data} />
      {isUpgrade && <StartChoice data={data} />}
      <Price data={data} count={count} />
      <SubmitButton name="step" value="2" busyLabel="One moment…" disabled={!canContinue}>
        {isUpgrade ? 'Upgrade Plan' : 'Continue to Payment'}
      </SubmitButton>
      <p className="flex flex-wrap justify-center gap-2">
        <Badge icon={ShieldCheck}>Secure Payment</Badge>
        <Badge icon={CircleX}>Cancel Anytime</Badge>
      </p>
    </ActionForm>
  );
}

function Price({ data: { options, outlook, isUpgrade }, count }: { data: ChooseData; count: number }) {
  return (
    <div>
      <p className="font-display text-2xl font-semibold tabular-nums">
        {options[count - 1]!.price}{' '}
        <span className="font-sans text-base font-normal text-ink-2">per month</span>
      </p>
      {!isUpgrade && outlook && outlook.promoPercent > 0 && (
        <p className="mt-1 font-medium text-accent-ink">
          {outlook.promoPercent}% off the first month: you pay {outlook.amount} now.
        </p>
      )}
    </div>
  );
}
