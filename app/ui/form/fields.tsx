import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { cx } from '#app/ui/cx.ts';
import { useHydrated } from '#app/ui/use-hydrated.ts';
import { controlProps, type Field, FieldFrame } from './field.tsx';
import { restoreEarlyInput } from './hydration-input.ts';

type Common = { field: Field; label: ReactNode; hint?: ReactNode };

type TextFieldProps = Common & Omit<ComponentProps<'input'>, 'form'>;

export function TextField({ field, label, hint, className, type = 'text', ...input }: TextFieldProps) {
  const { minLength, maxLength, min, max, step, pattern, defaultValue } = field;
  return (
    <FieldFrame field={field} label={label} hint={hint} className={className}>
      <span className="control">
        <input
          key={field.key}
          minLength={minLength}
          maxLength={maxLength}
          min={min}
          max={max}
          step={step}
          pattern={pattern}
          defaultValue={defaultValue}
          {...controlProps(field, !!hint)}
          {...input}
          type={type}
          className="input"
        />
      </span>
    </FieldFrame>
  );
}

type PasswordFieldProps = Common & Omit<ComponentProps<'input'>, 'form' | 'type'>;

/** Never renders a submitted password again. */
export function PasswordField({ field, label, hint, className, ...input }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const isHydrated = useHydrated();
  const Icon = isShown ? EyeOff : Eye;
  return (
    <FieldFrame field={field} label={label} hint={hint} className={className}>
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

type TextAreaProps = Common & Omit<ComponentProps<'textarea'>, 'form'>;

/** With scripts there is no `maxlength`, so that no pasted text is cut off: the server reports the limit. */
export function TextArea({ field, label, hint, className, rows = 5, ...area }: TextAreaProps) {
  const isHydrated = useHydrated();
  return (
    <FieldFrame field={field} label={label} hint={hint} className={className}>
      <textarea
        ref={restoreEarlyInput}
        key={field.key}
        defaultValue={field.defaultValue}
        minLength={field.minLength}
        maxLength={isHydrated ? undefined : field.maxLength}
        {...controlProps(field, !!hint)}
        {...area}
        rows={rows}
        className="input"
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
