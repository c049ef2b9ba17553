import { Banner } from '#app/ui/page.tsx';
import type { Dashboard } from './load.ts';

/** Why posts were not written the last time, or are not. */
export function Alerts({ dashboard: { alert } }: { dashboard: Dashboard }) {
  if (!alert) return null;
  return (
    <Banner tone="warning" title={alert.title} className="mb-6">
      {alert.text}
    </Banner>
  );
}
