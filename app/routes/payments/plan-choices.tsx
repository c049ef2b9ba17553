import type { RefObject } from 'react';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { useHydrated } from '#app/ui/hydrated.ts';
import { RadioTile } from '#app/ui/radio-tile.tsx';
import type { ChooseData } from './subscribe-data.ts';

type CountChoiceProps = { data: ChooseData; first: RefObject<HTMLFieldSetElement | null> };

/** How many posts a day, with what each costs. */
export function CountChoice({ data: { options, choice }, first }: CountChoiceProps) {
  return (
    <fieldset ref={first}>
      <legend className="field-label mb-2">Posts per day</legend>
      <div className="grid gap-2">
        {options.map(({ count, label, price, isCurrent }) => (
          <RadioTile
            key={count}
            name="posts"
            value={count}
            defaultChecked={count === choice.postsPerDay}
            label={label}
          >
            {isCurrent && <Badge tone="brand">Current plan</Badge>}
            <span className="ms-auto tabular-nums">
              {price}
              <span className="sr-only"> per month</span>
            </span>
          </RadioTile>
        ))}
      </div>
    </fieldset>
  );
}

/** The currency; before scripts come a button shows its prices. */
export function CurrencyChoice({ data: { currencies, choice } }: { data: ChooseData }) {
  const isHydrated = useHydrated();
  return (
    <div className="field">
      <label htmlFor="subscribe-currency" className="field-label">
        Currency
      </label>
      <div className="flex gap-2">
        <select
          id="subscribe-currency"
          name="currency"
          key={choice.currencyCode}
          defaultValue={choice.currencyCode}
          className="input select"
        >
          {currencies.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        {!isHydrated && (
          <Button type="submit" variant="secondary" className="shrink-0">
            Show prices
          </Button>
        )}
      </div>
    </div>
  );
}

const STARTS = [
  { value: 'immediate', label: 'Immediately', text: 'You pay the price less what is left of your plan.' },
  { value: 'next', label: 'Next Billing', text: 'It begins when your current plan ends.' },
];

/** When a larger or smaller plan takes over. */
export function StartChoice({ start }: { start: ChooseData['choice']['start'] }) {
  return (
    <fieldset>
      <legend className="field-label mb-2">When to activate</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {STARTS.map((tile) => (
          <RadioTile key={tile.value} name="start" defaultChecked={tile.value === start} {...tile} />
        ))}
      </div>
    </fieldset>
  );
}
