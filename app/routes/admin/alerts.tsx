import type { ReactNode } from 'react';
import { Banner } from '#app/ui/layout/page.tsx';

type OperatorAlertsProps = {
  faults: { key: string; message: string }[];
  /** Why nothing goes out; null where posts go out. */
  pauseReason: string | null;
  /** What leads to the switch, where the page has nothing else that does. */
  action?: ReactNode;
};

/** What an operator has to see first. */
export const OperatorAlerts = ({ faults, pauseReason, action }: OperatorAlertsProps) => (
  <div className="mb-6 flex flex-col gap-3 empty:hidden">
    {pauseReason !== null && (
      <Banner tone="warning" title="Publishing is stopped for everybody" action={action}>
        {pauseReason}
      </Banner>
    )}
    {faults.map(({ key, message }) => (
      <Banner key={key} tone="danger" title="Something needs the operator">
        {message}
      </Banner>
    ))}
  </div>
);
