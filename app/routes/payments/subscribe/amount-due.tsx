import type { PaymentData } from './load.ts';

/** Focused when the step opens, so that a phone shows what to pay before the form. */
export function AmountDue({ payment, isFirstStop }: { payment: PaymentData; isFirstStop: boolean }) {
  const { amount, plan, credit, fullPrice, daysRemaining, promoPercent, startsOn, isFree } = payment;
  return (
    <div tabIndex={-1} data-first-stop={isFirstStop || undefined} className="rounded-md bg-sunken p-4">
      <p className="text-sm text-ink-2">Amount to pay</p>
      <p className="font-display text-2xl font-semibold tabular-nums">{amount}</p>
      <p className="text-ink-2">
        {plan}, one month
        {startsOn && (
          <>
            , starting <span className="whitespace-nowrap">{startsOn}</span>
          </>
        )}
      </p>
      {promoPercent > 0 && (
        <p className="mt-1 text-sm text-accent-ink">
          {promoPercent}% off the first month, instead of {fullPrice}.
        </p>
      )}
      {credit && (
        <dl className="mt-3 grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 border-t border-line pt-3 text-sm tabular-nums">
          <dt>New plan, full price</dt>
          <dd className="text-end">{fullPrice}</dd>
          <dt>
            Credit for {daysRemaining === 1 ? '1 day' : `${daysRemaining} days`} left of your current plan
          </dt>
          <dd className="text-end">−{credit}</dd>
          <dt className="font-semibold">Amount to pay</dt>
          <dd className="text-end font-semibold">{amount}</dd>
        </dl>
      )}
      {!isFree && (
        <p className="mt-2 text-sm text-ink-2">
          Reference <span className="font-mono font-medium text-ink">{payment.reference}</span>, good until{' '}
          <span className="whitespace-nowrap">{payment.expiresAt}.</span>
        </p>
      )}
    </div>
  );
}
