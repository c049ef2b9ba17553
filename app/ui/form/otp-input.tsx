import { type ClipboardEvent, type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { CODE_LENGTH, INCOMPLETE_CODE } from '#app/domain/accounts/limits.ts';
import { useHydrated } from '#app/ui/use-hydrated.ts';
import { useFormBusy } from './action-form.tsx';
import { Button } from './button.tsx';
import { FieldError } from './errors.tsx';
import type { Field } from './field.tsx';

const PLACES = Array.from({ length: CODE_LENGTH }, (_, index) => index + 1);

const isDigits = (text: string) => new RegExp(`^\\d{1,${CODE_LENGTH}}$`).test(text);

/** Moves between the boxes, fills and empties them, and sends the form once each holds a digit. */
function useBoxes(errors: Field['errors']) {
  const group = useRef<HTMLFieldSetElement>(null);
  const [isComplete, setComplete] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const [boxes] = useState(() => () => [...(group.current?.querySelectorAll('input') ?? [])]);

  // What was typed before scripts ran stands in the boxes already.
  useEffect(() => setComplete(boxes().every((box) => box.value !== '')), [boxes]);
  useEffect(() => {
    if (!errors?.length) return;
    for (const box of boxes()) box.value = '';
    setComplete(false);
    setRefused(false);
    boxes()[0]?.focus();
  }, [errors, boxes]);

  const check = () => {
    const isFull = boxes().every((box) => /^\d$/.test(box.value));
    setComplete(isFull);
    setRefused(false);
    return isFull;
  };
  const focus = (index: number) => boxes()[index]?.focus();
  const fill = (from: number, text: string) => {
    const digits = text.replace(/\D/g, '').slice(0, PLACES.length - from);
    const all = boxes();
    for (const [offset, digit] of [...digits].entries()) all[from + offset]!.value = digit;
    focus(Math.min(from + digits.length, PLACES.length - 1));
    if (check()) all[0]?.form?.requestSubmit();
  };
  const paste = (text: string) => {
    if (isDigits(text)) fill(0, text);
    else setRefused(true);
  };
  const empty = (index: number) => {
    const all = boxes();
    const emptied = all[index]?.value === '' ? all[index - 1] : all[index];
    if (emptied) emptied.value = '';
    emptied?.focus();
    check();
  };
  return { group, isComplete, isRefused, check, focus, fill, paste, empty };
}

type Boxes = ReturnType<typeof useBoxes>;

const onType =
  ({ fill, check }: Boxes, index: number) =>
  (event: FormEvent<HTMLInputElement>) => {
    const { value } = event.currentTarget;
    event.currentTarget.value = '';
    if (/\d/.test(value)) fill(index, value);
    else check();
  };

const onPress =
  ({ focus, fill, empty }: Boxes, index: number) =>
  (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) focus(index + step);
    const isDigit = /^\d$/.test(event.key) && !event.ctrlKey && !event.metaKey;
    if (isDigit || event.key === 'Backspace') event.preventDefault();
    if (isDigit) fill(index, event.key);
    if (event.key === 'Backspace') empty(index);
  };

const onPaste =
  ({ paste }: Boxes) =>
  (event: ClipboardEvent) => {
    event.preventDefault();
    paste(event.clipboardData.getData('text').trim());
  };

function Digits({ boxes, field }: { boxes: Boxes; field: Field }) {
  const isHydrated = useHydrated();
  return (
    <div className="mt-2 flex gap-2 sm:gap-3" onPaste={onPaste(boxes)}>
      {PLACES.map((place, index) => (
        <input
          key={place}
          name={`digit${place}`}
          form={field.formId}
          aria-label={`Digit ${place}`}
          aria-invalid={field.errors?.length ? true : undefined}
          className="input otp-box"
          // biome-ignore lint/a11y/noAutofocus: the page is there for nothing else.
          autoFocus={index === 0}
          inputMode="numeric"
          autoComplete={index === 0 ? 'one-time-code' : 'off'}
          pattern="[0-9]"
          maxLength={isHydrated ? PLACES.length : 1}
          required
          onInput={onType(boxes, index)}
          onKeyDown={onPress(boxes, index)}
          onFocus={(event) => event.currentTarget.select()}
        />
      ))}
    </div>
  );
}

type OtpBoxesProps = { field: Field; label: string; submitLabel?: string; busyLabel?: string };

/**
 * Six boxes named digit1 to digit6. With scripts a digit moves on, Backspace moves back, a paste of digits alone fills
 * the boxes, and the sixth digit sends the form; `submitLabel` adds the button that waits for it once scripts run.
 */
export function OtpInput({ field, label, submitLabel, busyLabel }: OtpBoxesProps) {
  const boxes = useBoxes(field.errors);
  const errors = boxes.isRefused ? [INCOMPLETE_CODE] : field.errors;
  const isHydrated = useHydrated();
  const isBusy = useFormBusy();
  return (
    <>
      <fieldset
        ref={boxes.group}
        className="field"
        aria-describedby={errors?.length ? field.errorId : undefined}
      >
        <legend className="field-label">{label}</legend>
        <Digits boxes={boxes} field={field} />
        <FieldError field={{ errors, errorId: field.errorId }} />
      </fieldset>
      {submitLabel && (
        <Button type="submit" className="w-full" isBusy={isBusy} disabled={isHydrated && !boxes.isComplete}>
          {isBusy && busyLabel ? busyLabel : submitLabel}
        </Button>
      )}
    </>
  );
}
