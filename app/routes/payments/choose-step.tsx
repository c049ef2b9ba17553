import { CircleX, ShieldCheck } from 'lucide-react';
import { type FormEvent, useEffect, useRef } from 'react';
import { useSubmit } from 'react-router';
import { ActionForm } from '#app/ui/action-form.tsx';
import { Badge } from '#app/ui/badge.tsx';
import { SubmitButton } from '#app/ui/button.tsx';
import { Banner } from '#app/ui/page.tsx';
import { CountChoice, CurrencyChoice, StartChoice } from './plan-choices.tsx';
import type { ChooseData } from './subscribe-data.ts';

/** Posts a day, currency and start. A GET form: the address carries the choice, and prices follow it. */
export function ChooseStep({ data, page }: { data: ChooseData; page: string }) {
  const { choice, isUpgrade, currentPlan, problem } = data;
  const { first, follow } = useShownChoice(data);
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
      {problem && <Banner tone="warning">{problem}</Banner>}
      {currentPlan && (
        <p className="text-ink-2">
          You have {currentPlan.label} until {currentPlan.endsOn}.
        </p>
      )}
      <CountChoice data={data} first={first} />
      <CurrencyChoice data={data} />
      {isUpgrade && <StartChoice start={choice.start} />}
      <Price data={data} />
      <SubmitButton name="step" value="2" busyLabel="One moment…">
        {isUpgrade ? 'Upgrade Plan' : 'Continue to Payment'}
      </SubmitButton>
      <p className="flex flex-wrap justify-center gap-2">
        <Badge icon={ShieldCheck}>Secure Payment</Badge>
        <Badge icon={CircleX}>Cancel Anytime</Badge>
      </p>
    </ActionForm>
  );
}

/** Shows the prices of each choice as it is made; `first` is a field of the form. */
function useShownChoice({ choice, isUpgrade }: ChooseData) {
  const submit = useSubmit();
  const first = useRef<HTMLFieldSetElement>(null);
  const show = (form: HTMLFormElement) => void submit(form, { replace: true, preventScrollReset: true });

  // What was chosen before scripts came made no event; the prices still have to follow it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was chosen before the first look counts.
  useEffect(() => {
    const { form } = first.current!;
    const chosen = new FormData(form!);
    const isShown =
      chosen.get('posts') === String(choice.postsPerDay) &&
      chosen.get('currency') === choice.currencyCode &&
      (!isUpgrade || chosen.get('start') === choice.start);
    if (!isShown) show(form!);
  }, []);

  return { first, follow: (event: FormEvent<HTMLFormElement>) => show(event.currentTarget) };
}

function Price({ data: { price, payment } }: { data: ChooseData }) {
  return (
    <div>
      <p className="font-display text-2xl font-semibold tabular-nums">
        {price} <span className="font-sans text-base font-normal text-ink-2">per month</span>
      </p>
      {payment && payment.promoPercent > 0 && (
        <p className="mt-1 font-medium text-accent-ink">
          {payment.promoPercent}% off the first month: you pay {payment.amount} now.
        </p>
      )}
    </div>
  );
}
