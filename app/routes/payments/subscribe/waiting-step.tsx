import type { ReactNode } from 'react';
import { ButtonLink } from '#app/ui/form/button.tsx';
import type { WaitingData } from './load.ts';

/** What is being checked, since when and what happens next. The one way on is written by hand. */
export function WaitingStep({ data, page }: { data: WaitingData; page: string }) {
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
