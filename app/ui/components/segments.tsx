import { useId } from 'react';
import { cx } from '#app/ui/cx.ts';

type SegmentsProps = {
  name: string;
  label: string;
  choices: readonly { value: string; label: string }[];
  className?: string;
};

/** Switches between views. The styles depend on the checked radio button, so it works without scripts. No form submits it. */
export function Segments({ name, label, choices, className }: SegmentsProps) {
  const id = useId();
  return (
    <fieldset className={cx('segments', className)}>
      <legend className="sr-only">{label}</legend>
      {choices.map((choice, index) => (
        <label key={choice.value}>
          <input
            type="radio"
            form={`${id}-none`}
            name={`${id}-${name}`}
            data-view={choice.value}
            value={choice.value}
            defaultChecked={index === 0}
            className="sr-only"
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  );
}
