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

/** A GET form: the URL has the choice, and the prices follow it. */
export function ChooseStep({ data, page }: { data: ChooseData; page: string }) {
  const { isUpgrade, currentPlan, problem, canContinue } = data;
  const { container, count, choose, onChange, errors } = useChoice(data, page);
  return (
    <ActionForm
      method="get"
      failure="Failed to create payment request"
      action={page}
      fields={{ dialog: 'subscribe' }}
      preventScrollReset
      onChange={onChange}
      className="form mt-4"
    >
      {/* Enter presses the first button of a form. */}
      <button type="submit" name="step" value="2" tabIndex={-1} aria-hidden className="sr-only" />
      <FormAlert id="pricing" errors={errors} />
      {problem && <Banner tone="warning">{problem}</Banner>}
      {currentPlan && (
        <p className="text-ink-2">
          You have {currentPlan.label} until {currentPlan.endsOn}.
        </p>
      )}
      <div ref={container} className="contents">
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

const Price = ({ data: { options, preview, isUpgrade }, count }: { data: ChooseData; count: number }) => (
  <div>
    <p className="font-display text-2xl font-semibold tabular-nums">
      {options[count - 1]!.price}{' '}
      <span className="font-sans text-base font-normal text-ink-2">per month</span>
    </p>
    {!isUpgrade && preview && preview.promoPercent > 0 && (
      <p className="mt-1 font-medium text-accent-ink">
        {preview.promoPercent}% off the first month: you pay {preview.amount} now.
      </p>
    )}
  </div>
);

const queryOf = (form: HTMLFormElement) =>
  new URLSearchParams(new FormData(form) as unknown as Record<string, string>);

/** The number of posts in a pending navigation, if its currency is the current one. */
function pendingCount(search: string | undefined, { choice, options }: ChooseData): number | undefined {
  const pending = new URLSearchParams(search);
  if (pending.get('currency') !== choice.currencyCode) return undefined;
  return options.find(({ count }) => String(count) === pending.get('posts'))?.count;
}

/** Follows each choice: the number of posts immediately, everything else when the server has responded. */
function useChoice(data: ChooseData, page: string) {
  const { choice, isUpgrade } = data;
  const container = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const { location: next } = useNavigation();
  const [errors, setErrors] = useState<string[]>([]);
  const noteAddress = useRegisterNavigation({ failure: 'Failed to load pricing' }, (sentence) =>
    setErrors([sentence]),
  );
  const shownStart = useRef(choice.start);
  const getForm = () => container.current!.closest('form')!;

  const show = (change: Record<string, string> = {}) => {
    const query = queryOf(getForm());
    for (const [name, value] of Object.entries(change)) query.set(name, value);
    const to = `${page}?${query}`;
    setErrors([]);
    if (noteAddress(new URL(to, location.href)))
      void navigate(to, { replace: true, preventScrollReset: true });
  };

  // Choices made before hydration fired no event, but the prices have to follow them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only for choices made before hydration.
  useEffect(() => {
    const chosen = queryOf(getForm());
    const isStart = !isUpgrade || chosen.get('start') === choice.start;
    if (chosen.get('currency') !== choice.currencyCode || !isStart) show();
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the server responds with another start.
  useEffect(() => {
    const { start } = choice;
    const radios = getForm().querySelectorAll<HTMLInputElement>('[name=start]');
    // Set one by one, so that React tracks each change.
    if (shownStart.current !== start) for (const radio of radios) radio.checked = radio.value === start;
    shownStart.current = start;
  }, [choice.start]);

  const count = pendingCount(next?.search, data) ?? choice.postsPerDay;
  const choose = (posts: number) => show({ posts: String(posts) });
  return { container, count, choose, onChange: () => show(), errors };
}
