import type { loadTopics } from './load.ts';

type NoTurnsProps = NonNullable<Awaited<ReturnType<typeof loadTopics>>['noTurns']>;

/** What it means for topics that nothing is written by itself. What mends that stands above every page. */
export const NoTurns = ({ why, hasFree }: NoTurnsProps) => (
  <p className="mb-4 text-ink-2">
    {why === 'no_plan'
      ? `Without a plan no topic has a turn by itself.${hasFree ? ' “Write one now” uses up a free post.' : ''}`
      : 'No topic has a turn by itself until automation is on again. “Write one now” works all the same.'}
  </p>
);
