import type { SubmissionResult } from '@conform-to/react';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { SettingsCard } from '#app/routes/dashboard/settings/card.tsx';
import { useHydrated } from '#app/ui/use-hydrated.ts';
import { GenerateCard } from './generate-card.tsx';
import type { Dashboard } from './load.ts';
import { RecentPosts } from './recent-posts.tsx';
import { HowItWorks, QuickActions, Stats } from './stats.tsx';

type BelowProps = { dashboard: Dashboard; result?: SubmissionResult<string[]> | undefined };

/**
 * Goes to where the address leads: a browser that came by a link looked for it before this was fetched. Apart from the
 * rest, which would be drawn once more and lose what was typed before its scripts.
 */
function Arrival() {
  const { hash } = useLocation();
  const isBack = useNavigationType() === 'POP';
  const wasSent = useRef(!useHydrated());
  // biome-ignore lint/correctness/useExhaustiveDependencies: one arrives once.
  useEffect(() => {
    // A fragment link that the browser followed without the router is a POP too: its entry has no router state.
    if (wasSent.current || (isBack && history.state !== null)) return;
    const place = document.getElementById(hash.slice(1));
    place?.scrollIntoView();
    place?.focus({ preventScroll: true });
  }, []);
  return null;
}

/** What stands below the posts of the day. */
export function Below({ dashboard, result }: BelowProps) {
  const { isReady, stats, topics, run } = dashboard;
  const hasStarted = isReady || stats.totalPosts > 0 || run !== null;
  if (!hasStarted && topics.length === 0) return <HowItWorks isOpen />;
  return (
    <>
      {hasStarted && <Stats dashboard={dashboard} />}
      <Arrival />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-6">
          {topics.length > 0 && <GenerateCard dashboard={dashboard} />}
          {isReady && <SettingsCard dashboard={dashboard} result={result} />}
          {hasStarted && <RecentPosts dashboard={dashboard} />}
        </div>
        <div className="grid min-w-0 items-start gap-6 sm:max-xl:grid-cols-2">
          {hasStarted && <QuickActions />}
          <HowItWorks isOpen={!hasStarted} />
        </div>
      </div>
    </>
  );
}
