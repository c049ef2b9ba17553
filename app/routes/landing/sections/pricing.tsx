import './pricing.css';
import { VERIFIED_WITHIN_HOURS } from '#app/domain/payments/limits.ts';
import { FREE_POSTS_A_MONTH } from '#app/domain/writing/limits.ts';
import { StartLink } from '#app/routes/landing/header-footer.tsx';

type Currency = { code: string; symbol: string; name: string };

type PricesProps = {
  prices: { postsPerDay: number; label: string }[];
  promoPercent: number;
  isSignedIn: boolean;
  currencies: Currency[];
  currencyCode: string | null;
};

function CurrencySwitch({ currencies, currencyCode }: Pick<PricesProps, 'currencies' | 'currencyCode'>) {
  if (currencies.length < 2) return null;
  return (
    <nav aria-label="Currency of the prices" className="currencies">
      {currencies.map(({ code, symbol, name }) => (
        <a
          key={code}
          href={`/?currency=${code}#prices`}
          title={name}
          aria-current={code === currencyCode ? 'true' : undefined}
        >
          {symbol === code ? code : `${symbol} ${code}`}
        </a>
      ))}
    </nav>
  );
}

/** Five gauges: the more posts a day, the higher the water. */
export function PriceGauges({ prices, promoPercent, isSignedIn, currencies, currencyCode }: PricesProps) {
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
      <CurrencySwitch currencies={currencies} currencyCode={currencyCode} />
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
