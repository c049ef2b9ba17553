import { Banner } from '#app/ui/page.tsx';
import type { Dashboard } from './load.ts';

/** Why posts were not written the last time. */
export function Alerts({ dashboard }: { dashboard: Dashboard }) {
  const { run } = dashboard;
  if (!run || run.isOpen || run.isAsked || run.error === null) return null;
  return (
    <Banner tone="warning" title={run.missing} className="mb-6">
      {run.error}.
    </Banner>
  );
}
