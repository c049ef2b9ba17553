import { ButtonLink } from '#app/ui/button.tsx';
import { Banner } from '#app/ui/page.tsx';
import type { Dashboard } from './load.ts';

/** What keeps posts from being written or published, each with the one thing that helps. */
export function Alerts({ dashboard }: { dashboard: Dashboard }) {
  const { isConnectionLost, pausedUntil, run } = dashboard;
  const isShort = run !== null && !run.isOpen && !run.isAsked && run.error !== null;
  if (!isConnectionLost && !pausedUntil && !isShort) return null;
  return (
    <div className="mb-6 grid gap-3">
      {isConnectionLost && (
        <Banner
          tone="danger"
          title="LinkedIn is no longer connected"
          action={
            <ButtonLink to="/app/linkedin" size="sm">
              Connect again
            </ButtonLink>
          }
        >
          LinkedIn ended our permission to post for you. Your posts wait in the queue until you connect again.
        </Banner>
      )}
      {pausedUntil && (
        <Banner tone="warning" title="Publishing is stopped for everybody for now">
          LinkedIn takes no posts from Tidepost until {pausedUntil}. Yours go out after that; you need do
          nothing.
        </Banner>
      )}
      {isShort && (
        <Banner tone="warning" title={missing(run)}>
          {run.error}.
        </Banner>
      )}
    </div>
  );
}

const missing = ({ failed, requested }: NonNullable<Dashboard['run']>) =>
  failed >= requested
    ? 'No post was written the last time'
    : `${failed} of ${requested} posts ${failed === 1 ? 'was' : 'were'} not written the last time`;
