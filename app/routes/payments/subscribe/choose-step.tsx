import { CircleX, ShieldCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useNavigation } from 'react-router';
import { Badge } from '#app/ui/components/badge.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { SubmitButton } from '#app/ui/form/button.tsx';
import { FormAlert } from '#app/ui/form/errors.tsx';
import { useRegisterNavigation } from '#app/ui/form/failure/use-failure-message.ts';
import { Banner } from '#app/ui/layout/page.tsx';
import type { ChooseData } from './load.ts';
import { CountChoice, CurrencyChoice, StartChoice } from './plan-choices.tsx';

/** Posts a day, currency and start. A GET form: the address carries the choice, and prices follow it. */
export function ChooseStep({ data, page }: { data: ChooseData; page: string }) {
  const { isUpgrade, currentPlan, problem, canContinue } = data;
  const { around, count, choose, follow, errors } = useChoice(data, page);
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

/** What a form says, as the address of a page. */
const queryOf = (form: HTMLFormElement) =>
  new URLSearchParams(new FormData(form) as unknown as Record<string, string>);

/** How many posts are on their way to be shown, in this currency. */
function countComing(search: string | undefined, { choice, options }: ChooseData): number | undefined {
  const coming = new URLSearchParams(search);
  if (coming.get('currency') !== choice.currencyCode) return undefined;
  return options.find(({ count }) => String(count) === coming.get('posts'))?.count;
}

/** Shows the prices of each choice as it is made: how many posts at once, all else when the server has said it. */
function useChoice(data: ChooseData, page: string) {
  const { choice, isUpgrade } = data;
  const around = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const { location: next } = useNavigation();
  const [errors, setErrors] = useState<string[]>([]);
  const note = useRegisterNavigation({ failure: 'Failed to load pricing' }, (sentence) =>
    setErrors([sentence]),
  );
  const startShown = useRef(choice.start);
  const formOf = () => around.current!.closest('form')!;

  const show = (change: Record<string, string> = {}) => {
    const wanted = queryOf(formOf());
    for (const [name, value] of Object.entries(change)) wanted.set(name, value);
    const to = `${page}?${wanted}`;
    setErrors([]);
    if (note(new URL(to, location.href))) void navigate(to, { replace: true, preventScrollReset: true });
  };

  // What was chosen before scripts came made no event; the prices still have to follow it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was chosen before the first look counts.
  useEffect(() => {
    const chosen = queryOf(formOf());
    const isStart = !isUpgrade || chosen.get('start') === choice.start;
    if (chosen.get('currency') !== choice.currencyCode || !isStart) show();
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another start of the server's is another.
  useEffect(() => {
    const { start } = choice;
    const radios = formOf().querySelectorAll<HTMLInputElement>('[name=start]');
    // Each by itself, so that React, too, knows of each.
    if (startShown.current !== start) for (const radio of radios) radio.checked = radio.value === start;
    startShown.current = start;
  }, [choice.start]);

  const count = countComing(next?.search, data) ?? choice.postsPerDay;
  const choose = (posts: number) => show({ posts: String(posts) });
  return { around, count, choose, follow: () => show(), errors };
}
