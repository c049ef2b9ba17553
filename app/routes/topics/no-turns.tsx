import { Link } from 'react-router';
import { Banner } from '#app/ui/page.tsx';
import type { loadTopics } from './load.ts';

type NoTurnsProps = NonNullable<Awaited<ReturnType<typeof loadTopics>>['noTurns']>;

const openSettings = (
  <Link to="/app/dashboard?settings" className="btn btn-sm btn-ghost">
    Open the settings
  </Link>
);

/** Where nothing is written by itself: why. What stands above each page of somebody without a plan leads to one. */
export function NoTurns({ why, free }: NoTurnsProps) {
  if (why === 'automation_off') {
    return (
      <Banner className="mb-4" action={openSettings}>
        Automation is off, so no topic has a turn by itself. “Write one now” works all the same.
      </Banner>
    );
  }
  const left =
    free === 0
      ? 'Your free posts of this month are written.'
      : `“Write one now” writes ${free === 1 ? 'your last free post' : `one of your ${free} free posts`} of this month.`;
  return <p className="mb-4 text-ink-2">Without a plan no topic has a turn by itself. {left}</p>;
}
