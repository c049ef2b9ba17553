import { Banner } from '#app/ui/page.tsx';
import type { Dashboard } from './load.ts';

/** What keeps posts from being written or published, each with the one thing that helps. */
export function Alerts({ dashboard }: { dashboard: Dashboard }) {
  const { pause, run } = dashboard;
  const isShort = run !== null && !run.isOpen && !run.isAsked && run.error !== null;
  if (!pause && !isShort) return null;
  return (
    <div className="mb-6 grid gap-3">
      {pause && (
        <Banner tone="warning" title="Publishing is stopped for everybody for now">
          {pause}
        </Banner>
      )}
      {isShort && (
        <Banner tone="warning" title={run.missing}>
          {run.error}.
        </Banner>
      )}
    </div>
  );
}
