import { CircleX, ShieldCheck } from 'lucide-react';
import { type FormEvent, useEffect, useRef } from 'react';
import { useSubmit } from 'react-router';
import { ActionForm } from '#app/ui/action-form.tsx';
import { Badge } from '#app/ui/badge.tsx';
import { Button, SubmitButton } from '#app/ui/button.tsx';
import { useHydrated } from '#app/ui/hydrated.ts';
import { Banner } from '#app/ui/page.tsx';
import type { ChooseData } from './subscribe-data.ts';

const TILE =
  'flex min-h-11 cursor-pointer items-center gap-3 rounded-md border border-line-strong px-3 py-2 has-checked:border-brand has-checked:bg-brand-soft';

/** Posts a day, currency and start. A GET form: the address carries the choice, and prices follow it. */
export function ChooseStep({ data, page }: { data: ChooseData; page: string }) {
  const { choice, options, currencies, isUpgrade, currentPlan, problem, payment, price } = data;
  const submit = useSubmit();
  const isHydrated = useHydrated();
  const first = useRef<HTMLFieldSetElement>(null);
  const show = (form: HTMLFormElement) => void submit(form, { replace: true, preventScrollReset: true });
  const follow = (event: FormEvent<HTMLFormElement>) => show(event.currentTarget);

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

  return (
    <ActionForm
      method="get"
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
      <fieldset ref={first}>
        <legend className="field-label mb-2">Posts per day</legend>
        <div className="grid gap-2">
          {options.map(({ count, label, price: optionPrice, isCurrent }) => (
            <label key={count} className={TILE}>
              <input
                type="radio"
                name="posts"
                value={count}
                defaultChecked={count === choice.postsPerDay}
                className="size-5 shrink-0"
              />
              <span className="font-medium">{label}</span>
              {isCurrent && <Badge tone="brand">Current plan</Badge>}
              <span className="ms-auto tabular-nums">
                {optionPrice}
                <span className="sr-only"> per month</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <div className="field">
        <label htmlFor="subscribe-currency" className="field-label">
          Currency
        </label>
        <div className="flex gap-2">
          <select
            id="subscribe-currency"
            name="currency"
            key={choice.currencyCode}
            defaultValue={choice.currencyCode}
            className="input select"
          >
            {currencies.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          {!isHydrated && (
            <Button type="submit" variant="secondary" className="shrink-0">
              Show prices
            </Button>
          )}
        </div>
      </div>
      {isUpgrade && <StartChoice start={choice.start} />}
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

function StartChoice({ start }: { start: 'immediate' | 'next' }) {
  const choices = [
    { value: 'immediate', label: 'Immediately', text: 'You pay the price less what is left of your plan.' },
    { value: 'next', label: 'Next Billing', text: 'It begins when your current plan ends.' },
  ];
  return (
    <fieldset>
      <legend className="field-label mb-2">When to activate</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {choices.map(({ value, label, text }) => (
          <label key={value} className={TILE}>
            <input
              type="radio"
              name="start"
              value={value}
              defaultChecked={value === start}
              className="size-5 shrink-0"
            />
            <span>
              <span className="block font-medium">{label}</span>
              <span className="block text-sm text-ink-2">{text}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
