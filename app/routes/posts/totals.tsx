import { ENGAGEMENTS } from '#app/domain/posts/limits.ts';
import type { getTotals } from '#app/domain/posts/stats.ts';
import { StatCard } from '#app/ui/card.tsx';
import { capitalised } from '#app/ui/in-words.ts';

const WHOLE_BELOW = 10_000_000;
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** "12,345", or "12.3M" of what would not fit. */
const shown = (count: number | null) =>
  count === null ? null : count < WHOLE_BELOW ? count.toLocaleString('en') : short.format(count);

const COUNTED = ENGAGEMENTS.filter((name) => name !== 'impressions');

/** The numbers of the whole history; those of engagement are its owner's own, when there are any. */
export function Totals({ totals }: { totals: Awaited<ReturnType<typeof getTotals>> }) {
  return (
    <section aria-label="Totals" className="mb-6">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <StatCard label="Posts" value={totals.posts} />
        {COUNTED.map((name) => (
          <StatCard
            key={name}
            label={capitalised(name)}
            value={shown(totals[name]) ?? <span className="text-base">Not available</span>}
            detail={totals[name] === null ? undefined : 'typed in by you'}
          />
        ))}
      </div>
      <p className="mt-2 text-sm text-ink-3">
        LinkedIn does not let an ordinary app read likes, comments and shares of personal posts, so what
        stands here is what you read there and type in.
      </p>
    </section>
  );
}
