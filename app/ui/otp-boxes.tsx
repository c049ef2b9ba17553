import { type ClipboardEvent, type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { CODE_LENGTH } from '#app/domain/accounts/limits.ts';
import { useFormBusy } from './action-form.tsx';
import { Button } from './button.tsx';
import { type Field, FieldError } from './field-parts.tsx';
import { useHydrated } from './hydrated.ts';

const PLACES = Array.from({ length: CODE_LENGTH }, (_, index) => index + 1);

type OtpBoxesProps = { field: Field; label: string; hint?: string; submitLabel?: string; busyLabel?: string };

/**
 * Six boxes named digit1 to digit6. With scripts a digit moves on, Backspace moves back and a paste fills
 * the boxes; `submitLabel` adds the button that waits for the sixth digit once scripts run.
 */
export function OtpBoxes({ field, label, hint, submitLabel, busyLabel }: OtpBoxesProps) {
  const group = useRef<HTMLFieldSetElement>(null);
  const [isComplete, setComplete] = useState(false);
  const isHydrated = useHydrated();
  const isBusy = useFormBusy();
  const boxes = () => [...(group.current?.querySelectorAll('input') ?? [])];
  const check = () => setComplete(boxes().every((box) => /^\d$/.test(box.value)));

  useEffect(() => {
    setComplete([...(group.current?.querySelectorAll('input') ?? [])].every((box) => box.value !== ''));
  }, []);
  useEffect(() => {
    if (!field.errors?.length) return;
    const all = [...(group.current?.querySelectorAll('input') ?? [])];
    for (const box of all) box.value = '';
    setComplete(false);
    all[0]?.focus();
  }, [field.errors]);

  const fill = (from: number, text: string) => {
    const digits = text.replace(/\D/g, '').slice(0, PLACES.length - from);
    const all = boxes();
    for (const [offset, digit] of [...digits].entries()) all[from + offset]!.value = digit;
    all[Math.min(from + digits.length, PLACES.length - 1)]?.focus();
    check();
  };
  const type = (index: number) => (event: FormEvent<HTMLInputElement>) => {
    const { value } = event.currentTarget;
    event.currentTarget.value = '';
    if (/\d/.test(value)) fill(index, value);
    else check();
  };
  const press = (index: number) => (event: KeyboardEvent<HTMLInputElement>) => {
    const all = boxes();
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) all[index + step]?.focus();
    if (/^\d$/.test(event.key) && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      fill(index, event.key);
    }
    if (event.key === 'Backspace') {
      event.preventDefault();
      const emptied = event.currentTarget.value === '' ? all[index - 1] : event.currentTarget;
      if (emptied) emptied.value = '';
      emptied?.focus();
      check();
    }
  };
  const paste = (event: ClipboardEvent) => {
    event.preventDefault();
    fill(0, event.clipboardData.getData('text'));
  };

  return (
    <>
      <fieldset
        ref={group}
        className="field"
        aria-describedby={field.errors?.length ? field.errorId : undefined}
      >
        <legend className="field-label">{label}</legend>
        {hint && <p className="field-hint mt-1">{hint}</p>}
        <div className="mt-2 flex gap-2 sm:gap-3" onPaste={paste}>
          {PLACES.map((place, index) => (
            <input
              key={place}
              name={`digit${place}`}
              form={field.formId}
              aria-label={`Digit ${place}`}
              aria-invalid={field.errors?.length ? true : undefined}
              className="input otp-box"
              inputMode="numeric"
              autoComplete={index === 0 ? 'one-time-code' : 'off'}
              pattern="[0-9]"
              maxLength={isHydrated ? CODE_LENGTH : 1}
              required
              onInput={type(index)}
              onKeyDown={press(index)}
              onFocus={(event) => event.currentTarget.select()}
            />
          ))}
        </div>
        <FieldError field={field} />
      </fieldset>
      {submitLabel && (
        <Button type="submit" className="w-full" isBusy={isBusy} disabled={isHydrated && !isComplete}>
          {isBusy && busyLabel ? busyLabel : submitLabel}
        </Button>
      )}
    </>
  );
}
