import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { cx } from './class-names.ts';
import { FieldError } from './error-text.tsx';
import { controlProps, type Field, FieldFrame } from './field-parts.tsx';
import { useHydrated } from './hydrated.ts';

type Common = { field: Field; label: ReactNode; hint?: ReactNode };

type TextFieldProps = Common & Omit<ComponentProps<'input'>, 'form'> & { suffix?: ReactNode };

export function TextField({
  field,
  label,
  hint,
  suffix,
  className,
  type = 'text',
  ...input
}: TextFieldProps) {
  const { minLength, maxLength, min, max, step, pattern, defaultValue } = field;
  return (
    <FieldFrame field={field} label={label} hint={hint} className={className}>
      <span className={cx('control', !!suffix && 'has-suffix')}>
        <input
          key={field.key}
          {...{ minLength, maxLength, min, max, step, pattern, defaultValue }}
          {...controlProps(field, !!hint)}
          {...input}
          type={type}
          className="input"
        />
        {suffix && <span className="suffix">{suffix}</span>}
      </span>
    </FieldFrame>
  );
}

type PasswordFieldProps = Common & Omit<ComponentProps<'input'>, 'form' | 'type'> & { aside?: ReactNode };

/** A password; what was typed is never rendered back. `aside` stands beside the label. */
export function PasswordField({ field, label, hint, aside, className, ...input }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const isHydrated = useHydrated();
  const Icon = isShown ? EyeOff : Eye;
  return (
    <FieldFrame field={field} label={label} hint={hint} aside={aside} className={className}>
      <span className={cx('control', isHydrated && 'has-suffix')}>
        <input
          key={field.key}
          minLength={field.minLength}
          maxLength={field.maxLength}
          autoComplete="current-password"
          {...controlProps(field, !!hint)}
          {...input}
          type={isShown ? 'text' : 'password'}
          className="input"
        />
        {isHydrated && (
          <button
            type="button"
            className="suffix suffix-button"
            aria-pressed={isShown}
            aria-label="Show password"
            aria-controls={field.id}
            onClick={() => setShown(!isShown)}
          >
            <Icon aria-hidden size={18} />
          </button>
        )}
      </span>
    </FieldFrame>
  );
}

type TextAreaProps = Common & Omit<ComponentProps<'textarea'>, 'form'> & { counter?: number };

/** `counter` is the limit in UTF-16 units; the live count shows when scripts run. */
export function TextArea({ field, label, hint, counter, className, rows = 5, ...area }: TextAreaProps) {
  const [length, setLength] = useState(field.defaultValue?.length ?? 0);
  const isHydrated = useHydrated();
  const isOver = counter !== undefined && length > counter;
  const count = isHydrated && counter !== undefined && (
    <span className={cx('field-count', isOver && 'text-danger-ink font-semibold')}>
      {length.toLocaleString('en')} of {counter.toLocaleString('en')}
      <span className="sr-only" role="status">
        {isOver ? `${length - counter} characters too many` : ''}
      </span>
    </span>
  );
  return (
    <FieldFrame field={field} label={label} hint={hint} aside={count} className={className}>
      <textarea
        key={field.key}
        defaultValue={field.defaultValue}
        minLength={field.minLength}
        maxLength={isHydrated ? undefined : field.maxLength}
        {...controlProps(field, !!hint)}
        {...area}
        rows={rows}
        className="input"
        onInput={(event) => setLength(event.currentTarget.value.length)}
      />
    </FieldFrame>
  );
}

type SelectFieldProps = Common &
  Omit<ComponentProps<'select'>, 'form'> & { options: readonly { value: string; label: string }[] };

export function SelectField({ field, label, hint, options, className, ...select }: SelectFieldProps) {
  return (
    <FieldFrame field={field} label={label} hint={hint} className={className}>
      <select
        key={field.key}
        defaultValue={field.defaultValue}
        {...controlProps(field, !!hint)}
        {...select}
        className="input select"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

type CheckboxFieldProps = Common & Omit<ComponentProps<'input'>, 'form' | 'type'>;

export function CheckboxField({ field, label, hint, className, ...input }: CheckboxFieldProps) {
  return (
    <div className={cx('field', className)}>
      <label className="check">
        <input
          key={field.key}
          value="on"
          defaultChecked={field.defaultChecked}
          {...controlProps(field, !!hint)}
          {...input}
          type="checkbox"
        />
        <span>{label}</span>
      </label>
      {hint && (
        <p id={field.descriptionId} className="field-hint ms-8">
          {hint}
        </p>
      )}
      <FieldError field={field} />
    </div>
  );
}
