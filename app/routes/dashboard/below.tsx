import type { SubmissionResult } from '@conform-to/react';
import { GenerateCard } from './generate-card.tsx';
import type { Dashboard } from './load.ts';
import { HowItWorks, QuickActions, Stats } from './overview.tsx';
import { RecentPosts } from './recent-posts.tsx';
import { SettingsCard } from './settings-card.tsx';

type BelowProps = { dashboard: Dashboard; result?: SubmissionResult<string[]> | undefined };

/** What stands below the posts of the day. */
export function Below({ dashboard, result }: BelowProps) {
  const { isReady, stats, topics, run } = dashboard;
  const hasStarted = isReady || stats.totalPosts > 0 || run !== null;
  if (!hasStarted && topics.length === 0) return <HowItWorks isOpen />;
  return (
    <>
      {hasStarted && <Stats dashboard={dashboard} />}
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
