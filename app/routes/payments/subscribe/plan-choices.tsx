import type { MouseEvent } from 'react';
import { Button } from '#app/ui/form/button.tsx';
import { RadioTile } from '#app/ui/form/radio-tile.tsx';
import { useHydrated } from '#app/ui/use-hydrated.ts';
import type { ChooseData } from './load.ts';

type CountChoiceProps = { data: ChooseData; count: number; choose: (count: number) => void };

export const CountChoice = ({ data: { options }, count, choose }: CountChoiceProps) => (
  <fieldset>
    <legend className="field-label mb-2">Posts per day</legend>
    <div className="day-counts">
      {options.map((option) => (
        <CountButton
          key={option.count}
          option={option}
          isChosen={option.count === count}
          choose={() => choose(option.count)}
        />
      ))}
    </div>
    {/* After the buttons, so that the value of a pressed button comes first. */}
    <input type="hidden" name="posts" value={count} />
  </fieldset>
);

type CountButtonProps = { option: ChooseData['options'][number]; isChosen: boolean; choose: () => void };

function CountButton({ option: { count, price, isCurrent }, isChosen, choose }: CountButtonProps) {
  const press = (event: MouseEvent) => {
    event.preventDefault();
    choose();
  };
  return (
    <div className="day-count">
      <button
        type="submit"
        name="posts"
        value={count}
        aria-pressed={isChosen}
        aria-describedby={`price-${count}`}
        data-first-stop={isChosen || undefined}
        onClick={press}
      >
        {count}
      </button>
      <span id={`price-${count}`}>
        {price}
        <span className="sr-only"> per month</span>
        {isCurrent && (
          <b>
            Yours<span className="sr-only">: your current plan</span>
          </b>
        )}
      </span>
    </div>
  );
}

/** Before hydration a button loads the prices of the selected currency. */
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

export const StartChoice = ({ data: { starts, choice } }: { data: ChooseData }) => (
  <fieldset>
    <legend className="field-label mb-2">When to activate</legend>
    <div className="starts grid gap-2">
      {starts.map(({ value, label, text, isPossible }) => (
        <RadioTile
          key={value}
          name="start"
          value={value}
          label={label}
          text={text}
          defaultChecked={value === choice.start}
          disabled={!isPossible}
        />
      ))}
    </div>
  </fieldset>
);
