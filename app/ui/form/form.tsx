import {
  type DefaultValue,
  type FormMetadata,
  getFormProps,
  type SubmissionResult,
  useForm,
} from '@conform-to/react';
import { type ReactNode, useMemo, useState } from 'react';
import type { FormProps } from 'react-router';
import { cx } from '#app/ui/cx.ts';
import { useClientErrors } from '#app/ui/form/failure/client-errors.ts';
import type { FailureProps } from '#app/ui/form/failure/use-failure-message.ts';
import { UnsavedGuard } from '#app/ui/form/unsaved/unsaved-guard.tsx';
import { ActionForm } from './action-form.tsx';
import { FormAlert } from './errors.tsx';

export { SubmitButton } from './button.tsx';
export { FieldError } from './errors.tsx';
export { PasswordField, SelectField, TextArea, TextField } from './fields.tsx';

type FormOptions<Schema> = {
  id?: string;
  defaultValue?: DefaultValue<Schema>;
  constraint?: Parameters<typeof useForm>[0]['constraint'];
};

/** What was refused before is said no longer once the form was sent again and nobody answered: it may be mended. */
function useLastAnswer(lastResult: SubmissionResult<string[]> | null | undefined) {
  const [told] = useClientErrors();
  const [seen, setSeen] = useState({ lastResult, told });
  if (lastResult && lastResult !== seen.lastResult) setSeen({ lastResult, told });
  const isOutdated = told !== undefined && told !== seen.told;
  const nothing = useMemo(() => told && { error: {} }, [told]);
  return isOutdated ? nothing : lastResult;
}

/**
 * State of one form: `const [form, fields] = useFormOf<z.input<typeof TopicInput>>(actionData?.result)`.
 * The server validates; before scripts run the browser checks the native constraints instead.
 */
export function useFormOf<Schema extends Record<string, unknown>>(
  lastResult: SubmissionResult<string[]> | null | undefined,
  options: FormOptions<Schema> = {},
) {
  return useForm<Schema>({
    ...options,
    lastResult: useLastAnswer(lastResult),
    defaultNoValidate: false,
    shouldValidate: 'onSubmit',
    shouldRevalidate: 'onSubmit',
  });
}

type FormPanelProps<Schema extends Record<string, unknown>> = Omit<FormProps, 'id' | 'onSubmit'> &
  FailureProps & {
    form: FormMetadata<Schema>;
    fields?: Record<string, string>;
    children: ReactNode;
    /** Whoever typed something and leaves is asked first, unless it is little or kept in another way. */
    warnsOnLeave?: boolean;
  };

/** The form itself, with what is wrong with it as a whole on top; `fields` are hidden values. */
export function FormPanel<Schema extends Record<string, unknown>>({
  form,
  className,
  children,
  warnsOnLeave: asksToLeave = true,
  ...props
}: FormPanelProps<Schema>) {
  return (
    <ActionForm {...getFormProps(form)} {...props} className={cx('form', className)}>
      <FormAlert id={form.errorId} errors={form.errors} />
      {children}
      {asksToLeave && <UnsavedGuard />}
    </ActionForm>
  );
}
