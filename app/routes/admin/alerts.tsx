import type { ReactNode } from 'react';
import { Banner } from '#app/ui/layout/page.tsx';

type OperatorAlertsProps = {
  faults: { key: string; message: string }[];
  /** Why publishing is stopped, or null. */
  pauseReason: string | null;
  action?: ReactNode;
};

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
