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

/** Clears the last result once the form was sent again without a response: its errors may be fixed by now. */
function useCurrentResult(lastResult: SubmissionResult<string[]> | null | undefined) {
  const [clientError] = useClientErrors();
  const [seen, setSeen] = useState({ lastResult, clientError });
  if (lastResult && lastResult !== seen.lastResult) setSeen({ lastResult, clientError });
  const isOutdated = clientError !== undefined && clientError !== seen.clientError;
  const noErrors = useMemo(() => clientError && { error: {} }, [clientError]);
  return isOutdated ? noErrors : lastResult;
}

/**
 * The state of a form: `const [form, fields] = useFormOf<z.input<typeof TopicInput>>(actionData?.result)`.
 * Only the server validates; without scripts, the browser also checks the native constraints.
 */
export function useFormOf<Schema extends Record<string, unknown>>(
  lastResult: SubmissionResult<string[]> | null | undefined,
  options: FormOptions<Schema> = {},
) {
  return useForm<Schema>({
    ...options,
    lastResult: useCurrentResult(lastResult),
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
    warnsOnLeave?: boolean;
  };

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
