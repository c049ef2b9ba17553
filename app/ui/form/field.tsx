import type { FieldMetadata } from '@conform-to/react';
import type { ReactNode } from 'react';
import { cx } from '#app/ui/cx.ts';
import { FieldError } from './errors.tsx';

type FromConform =
  | 'key'
  | 'id'
  | 'errorId'
  | 'descriptionId'
  | 'errors'
  | 'defaultValue'
  | 'required'
  | 'minLength'
  | 'maxLength'
  | 'min'
  | 'max'
  | 'step'
  | 'pattern';

export type Field = Pick<FieldMetadata, FromConform> & { name: string; formId: string };

export const controlProps = (field: Field, hasHint: boolean) => ({
  id: field.id,
  name: field.name,
  form: field.formId,
  required: field.required,
  'aria-invalid': field.errors?.length ? (true as const) : undefined,
  'aria-describedby':
    cx(hasHint && field.descriptionId, !!field.errors?.length && field.errorId) || undefined,
});

type FieldFrameProps = {
  field: Field;
  label: ReactNode;
  hint?: ReactNode;
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
};

export function FieldFrame({ field, label, hint, aside, className, children }: FieldFrameProps) {
  return (
    <div className={cx('field', className)}>
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={field.id} className="field-label">
          {label}
        </label>
        {aside}
      </div>
      {hint && (
        <p id={field.descriptionId} className="field-hint">
          {hint}
        </p>
      )}
      {children}
      <FieldError field={field} />
    </div>
  );
}
