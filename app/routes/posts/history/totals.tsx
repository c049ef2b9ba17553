import type { getTotals } from '#app/domain/posts/counts/stats.ts';
import { ENGAGEMENTS } from '#app/domain/posts/limits.ts';

const WHOLE_BELOW = 10_000_000;
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** "12,345", or "12.3M" of what would not fit. */
const shown = (count: number | null) =>
  count === null ? null : count < WHOLE_BELOW ? count.toLocaleString('en') : short.format(count);

const COUNTED = ENGAGEMENTS.filter((name) => name !== 'impressions');

type TotalsProps = { totals: Awaited<ReturnType<typeof getTotals>> };

/** The numbers of the whole history; those of engagement are its owner's own, when there are any. */
export function Totals({ totals }: TotalsProps) {
  const isTyped = COUNTED.some((name) => totals[name] !== null);
  return (
    <section aria-label="Totals" className="totals">
      <Total count={totals.posts} name="posts" />
      {isTyped && COUNTED.map((name) => <Total key={name} count={totals[name]} name={name} />)}
      <p className="text-sm text-ink-3">
        {isTyped
          ? 'Likes, comments and shares as typed in by you.'
          : 'Likes, comments and shares are not available: LinkedIn does not let an ordinary app read them. You can type in what you read there.'}
      </p>
    </section>
  );
}

const Total = ({ count, name }: { count: number | null; name: string }) => (
  <p>
    <span className="font-display text-2xl font-semibold tabular-nums">{shown(count) ?? '–'}</span>{' '}
    <span className="text-sm text-ink-2">{count === 1 ? name.slice(0, -1) : name}</span>
  </p>
);
