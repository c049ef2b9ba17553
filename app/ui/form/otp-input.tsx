import { type ClipboardEvent, type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { CODE_LENGTH, INCOMPLETE_CODE } from '#app/domain/accounts/limits.ts';
import { useHydrated } from '#app/ui/use-hydrated.ts';
import { useFormBusy } from './action-form.tsx';
import { Button } from './button.tsx';
import { FieldError } from './errors.tsx';
import type { Field } from './field.tsx';

const POSITIONS = Array.from({ length: CODE_LENGTH }, (_, index) => index + 1);

const isDigits = (text: string) => new RegExp(`^\\d{1,${CODE_LENGTH}}$`).test(text);

function useBoxes(errors: Field['errors']) {
  const group = useRef<HTMLFieldSetElement>(null);
  const [isComplete, setComplete] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const [boxes] = useState(() => () => [...(group.current?.querySelectorAll('input') ?? [])]);

  // The user may have typed before hydration.
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
    const digits = text.replace(/\D/g, '').slice(0, POSITIONS.length - from);
    const all = boxes();
    for (const [offset, digit] of [...digits].entries()) all[from + offset]!.value = digit;
    focus(Math.min(from + digits.length, POSITIONS.length - 1));
    if (check()) all[0]?.form?.requestSubmit();
  };
  const paste = (text: string) => {
    if (isDigits(text)) fill(0, text);
    else setRefused(true);
  };
  const clear = (index: number) => {
    const all = boxes();
    const box = all[index]?.value === '' ? all[index - 1] : all[index];
    if (box) box.value = '';
    box?.focus();
    check();
  };
  return { group, isComplete, isRefused, check, focus, fill, paste, clear };
}

type Boxes = ReturnType<typeof useBoxes>;

const onInput =
  ({ fill, check }: Boxes, index: number) =>
  (event: FormEvent<HTMLInputElement>) => {
    const { value } = event.currentTarget;
    event.currentTarget.value = '';
    if (/\d/.test(value)) fill(index, value);
    else check();
  };

const onKeyDown =
  ({ focus, fill, clear }: Boxes, index: number) =>
  (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) focus(index + step);
    const isDigit = /^\d$/.test(event.key) && !event.ctrlKey && !event.metaKey;
    if (isDigit || event.key === 'Backspace') event.preventDefault();
    if (isDigit) fill(index, event.key);
    if (event.key === 'Backspace') clear(index);
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
      {POSITIONS.map((position, index) => (
        <input
          key={position}
          name={`digit${position}`}
          form={field.formId}
          aria-label={`Digit ${position}`}
          aria-invalid={field.errors?.length ? true : undefined}
          className="input otp-box"
          // biome-ignore lint/a11y/noAutofocus: the code is the only task of the page.
          autoFocus={index === 0}
          inputMode="numeric"
          autoComplete={index === 0 ? 'one-time-code' : 'off'}
          pattern="[0-9]"
          maxLength={isHydrated ? POSITIONS.length : 1}
          required
          onInput={onInput(boxes, index)}
          onKeyDown={onKeyDown(boxes, index)}
          onFocus={(event) => event.currentTarget.select()}
        />
      ))}
    </div>
  );
}

type OtpInputProps = { field: Field; label: string; submitLabel?: string; busyLabel?: string };

/**
 * Six inputs named digit1 to digit6. With scripts, typing moves to the next one, pasting fills them, and the last digit
 * submits the form. `submitLabel` adds a button.
 */
export function OtpInput({ field, label, submitLabel, busyLabel }: OtpInputProps) {
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
