import './price-gauges.css';
import { VERIFIED_WITHIN_HOURS } from '#app/domain/payments/limits.ts';
import { FREE_POSTS_A_MONTH } from '#app/domain/writing/limits.ts';
import { StartLink } from './site-frame.tsx';

export type Price = { postsPerDay: number; label: string };

type PricesProps = { prices: Price[]; promoPercent: number; isSignedIn: boolean };

/** Five gauges: the more posts a day, the higher the water. */
export function PriceGauges({ prices, promoPercent, isSignedIn }: PricesProps) {
  if (!prices.length) return null;
  return (
    <section id="prices" className="band" aria-labelledby="prices-title">
      <div className="max-w-prose">
        <h2 id="prices-title" className="section-title">
          One price for each post a day
        </h2>
        <p className="mt-4 text-lg text-ink-2">
          Begin with {FREE_POSTS_A_MONTH} free posts a month, without a card. When you want more, choose how
          many a day.
          {promoPercent > 0 && ` Your first month costs ${promoPercent}% less.`}
        </p>
      </div>
      <ul className="gauges">
        {prices.map(({ postsPerDay, label }) => (
          <li key={postsPerDay} className="gauge" data-level={postsPerDay}>
            <span aria-hidden="true" className="gauge-water" />
            <span className="gauge-count">
              <span className="gauge-number">{postsPerDay}</span>{' '}
              <span>{postsPerDay === 1 ? 'post a day' : 'posts a day'}</span>
            </span>
            <span className="gauge-price">
              <span className="gauge-label">{label}</span> <span>a month</span>
            </span>
          </li>
        ))}
      </ul>
      <div className="mt-8 flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
        <p className="max-w-prose text-ink-2">
          Pay by UPI or PayPal and send us the transaction ID. A person checks it within{' '}
          {VERIFIED_WITHIN_HOURS} hours, and your plan begins.
        </p>
        <StartLink isSignedIn={isSignedIn} />
      </div>
    </section>
  );
}
