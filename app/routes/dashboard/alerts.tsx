import { ButtonLink } from '#app/ui/form/button.tsx';
import { Banner } from '#app/ui/layout/page.tsx';
import type { Dashboard } from './load.ts';

const open = (topics: string) => (
  <ButtonLink to={topics} size="sm" variant="secondary">
    Open Topics
  </ButtonLink>
);

/** Why posts were not written the last time, or are not. */
export function Alerts({ dashboard: { alert } }: { dashboard: Dashboard }) {
  if (!alert) return null;
  return (
    <Banner tone="warning" title={alert.title} className="mb-6" action={alert.to && open(alert.to)}>
      {alert.text}
    </Banner>
  );
}
