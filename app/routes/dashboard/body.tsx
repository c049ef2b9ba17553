import type { SubmissionResult } from '@conform-to/react';
import { CalendarClock, ExternalLink, History, ScrollText, Tags } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link, useLocation, useNavigationType } from 'react-router';
import { SettingsCard } from '#app/routes/dashboard/settings/card.tsx';
import { StatusBadge } from '#app/ui/components/badge.tsx';
import { Card, StatCard } from '#app/ui/components/card.tsx';
import { Steps } from '#app/ui/components/steps.tsx';
import { PostTopic } from '#app/ui/post/post-card.tsx';
import { PostSummary } from '#app/ui/post/post-summary.tsx';
import { Time } from '#app/ui/time.tsx';
import { useHydrated } from '#app/ui/use-hydrated.ts';
import { GenerateCard } from './generate-card.tsx';
import type { DashboardData } from './load.ts';

type BelowProps = { dashboard: DashboardData; result?: SubmissionResult<string[]> | undefined };

/**
 * Scrolls to the fragment of the URL, whose target was not there yet when the browser looked for it. A component of
 * its own, because rendering the rest again would lose what was typed before hydration.
 */
function ScrollToHash() {
  const { hash } = useLocation();
  const isBack = useNavigationType() === 'POP';
  const wasServerRendered = useRef(!useHydrated());
  // biome-ignore lint/correctness/useExhaustiveDependencies: only on arrival.
  useEffect(() => {
    // A fragment link that the browser followed without the router is a POP, too, but its history entry has no router
    // state.
    if (wasServerRendered.current || (isBack && history.state !== null)) return;
    const target = document.getElementById(hash.slice(1));
    target?.scrollIntoView();
    target?.focus({ preventScroll: true });
  }, []);
  return null;
}

export function Below({ dashboard, result }: BelowProps) {
  const { isReady, stats, topics, run } = dashboard;
  const hasStarted = isReady || stats.totalPosts > 0 || run !== null;
  if (!hasStarted && topics.length === 0) return <HowItWorks isOpen />;
  return (
    <>
      {hasStarted && <Stats dashboard={dashboard} />}
      <ScrollToHash />
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

type Recent = DashboardData['recent'][number];

function RecentPosts({ dashboard }: { dashboard: DashboardData }) {
  const { recent: posts, noRecentText, stats, zone, isReady } = dashboard;
  const all = (
    <Link to="/app/posts" className="link -my-3 inline-flex min-h-11 items-center text-sm">
      All posts
    </Link>
  );
  return (
    <Card title="Recent Posts" description={!isReady && zone} actions={stats.totalPosts > 0 && all}>
      {posts.length === 0 ? (
        <p className="text-ink-2">{noRecentText}</p>
      ) : (
        <ul className="divide-y divide-line">
          {posts.map((post) => (
            <RecentPost key={post.id} post={post} />
          ))}
        </ul>
      )}
      {posts.some(({ status, engagement }) => status === 'published' && engagement === null) && (
        <p className="mt-4 text-sm text-ink-3">
          Likes, comments and shares: not available until you type them in.
        </p>
      )}
    </Card>
  );
}

function RecentPost({ post }: { post: Recent }) {
  const { engagement, url } = post;
  return (
    <li className="grid gap-2 py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-2">
        <StatusBadge status={post.badge} />
        <PostTopic {...post} />
        <PostTime when={post.when} />
      </div>
      <PostSummary {...post} />
      {(engagement || url) && (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-3">
          {engagement && <span>{engagement}</span>}
          {url && (
            <a href={url} target="_blank" rel="noreferrer" className="link inline-flex items-center gap-1">
              View on LinkedIn
              <ExternalLink aria-hidden size={14} />
              <span className="sr-only"> (opens in a new tab)</span>
            </a>
          )}
        </p>
      )}
    </li>
  );
}

const PostTime = ({ when: { text, at, after, link } }: Pick<Recent, 'when'>) => (
  <span className="text-sm text-ink-3">
    {text} {at && <Time {...at} />} {after}
    {link && (
      <Link to={link.to} className="link">
        {link.label}
      </Link>
    )}
  </span>
);

const Stats = ({ dashboard: { stats, plan } }: { dashboard: DashboardData }) => (
  <section aria-label="Numbers" className="grid grid-cols-2 gap-3 lg:grid-cols-4">
    <StatCard
      label="Total Posts"
      value={stats.totalPosts}
      detail={`${stats.publishedPosts} published`}
      to="/app/posts"
    />
    <StatCard label="Posts/Day" value={plan?.postsPerDay ?? '–'} detail={plan ? 'of your plan' : 'no plan'} />
    <StatCard
      label="Topics"
      value={stats.totalTopics}
      detail={`${stats.activeTopics} active`}
      to="/app/topics"
    />
    <StatCard label="Scheduled" value={stats.scheduledPosts} detail="in your queue" to="/app/scheduled" />
  </section>
);

const ACTIONS = [
  { to: '/app/topics', label: 'Manage topics', icon: Tags },
  { to: '/app/voice', label: 'Your voice and facts', icon: ScrollText },
  { to: '/app/scheduled', label: 'Scheduled posts', icon: CalendarClock },
  { to: '/app/posts', label: 'Post history', icon: History },
];

const QuickActions = () => (
  <Card title="Quick Actions">
    <ul className="-mx-2 -mb-1 grid gap-1">
      {ACTIONS.map(({ to, label, icon: Icon }) => (
        <li key={to}>
          <Link
            to={to}
            className="flex min-h-11 items-center gap-3 rounded-md px-2 font-medium hover:bg-hover"
          >
            <Icon aria-hidden size={20} className="text-brand-ink" />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  </Card>
);

const STEPS = [
  { title: 'You name topics', text: 'What you know and want to be known for.' },
  { title: 'Posts are written each day', text: 'At your time, topics taking turns.' },
  {
    title: 'You read and change them',
    text: 'They wait in your queue. Edit, delete, or ask to be asked first.',
  },
  { title: 'They go out at your times', text: 'On LinkedIn, in your own name.' },
];

const HowItWorks = ({ isOpen }: { isOpen: boolean }) => (
  <details className="card" open={isOpen}>
    <summary className="-my-3 cursor-pointer py-3">
      <h2 className="inline text-lg font-semibold">How It Works</h2>
    </summary>
    <div className="mt-4">
      <Steps steps={STEPS} />
    </div>
  </details>
);
