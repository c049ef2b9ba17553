import { CalendarClock, History, ScrollText, Tags } from 'lucide-react';
import { Link } from 'react-router';
import { Card, StatCard } from '#app/ui/components/card.tsx';
import { Steps } from '#app/ui/components/steps.tsx';
import type { Dashboard } from './load.ts';

export function Stats({ dashboard: { stats, plan } }: { dashboard: Dashboard }) {
  return (
    <section aria-label="Numbers" className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <StatCard
        label="Total Posts"
        value={stats.totalPosts}
        detail={`${stats.publishedPosts} published`}
        to="/app/posts"
      />
      <StatCard
        label="Posts/Day"
        value={plan?.postsPerDay ?? '–'}
        detail={plan ? 'of your plan' : 'no plan'}
      />
      <StatCard
        label="Topics"
        value={stats.totalTopics}
        detail={`${stats.activeTopics} active`}
        to="/app/topics"
      />
      <StatCard label="Scheduled" value={stats.scheduledPosts} detail="in your queue" to="/app/scheduled" />
    </section>
  );
}

const ACTIONS = [
  { to: '/app/topics', label: 'Manage topics', icon: Tags },
  { to: '/app/voice', label: 'Your voice and facts', icon: ScrollText },
  { to: '/app/scheduled', label: 'Scheduled posts', icon: CalendarClock },
  { to: '/app/posts', label: 'Post history', icon: History },
];

export const QuickActions = () => (
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

const HOW = [
  { title: 'You name topics', text: 'What you know and want to be known for.' },
  { title: 'Posts are written each day', text: 'At your time, topics taking turns.' },
  {
    title: 'You read and change them',
    text: 'They wait in your queue. Edit, delete, or ask to be asked first.',
  },
  { title: 'They go out at your times', text: 'On LinkedIn, in your own name.' },
];

/** Who has posts knows it, and opens it when they want to. */
export const HowItWorks = ({ isOpen }: { isOpen: boolean }) => (
  <details className="card" open={isOpen}>
    <summary className="-my-3 cursor-pointer py-3">
      <h2 className="inline text-lg font-semibold">How It Works</h2>
    </summary>
    <div className="mt-4">
      <Steps steps={HOW} />
    </div>
  </details>
);
