import {
  type DefaultValue,
  type FormMetadata,
  getFormProps,
  type SubmissionResult,
  useForm,
} from '@conform-to/react';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import type { FormProps } from 'react-router';
import { ActionForm } from './action-form.tsx';
import { cx } from './class-names.ts';
import { FormAlert } from './error-text.tsx';
import { onDemand } from './on-demand.tsx';
import type { FailureProps } from './unanswered.ts';

export { SubmitButton } from './button.tsx';
export { FieldError } from './error-text.tsx';
export { PasswordField, SelectField, TextArea, TextField } from './fields.tsx';
export { OtpBoxes } from './otp-boxes.tsx';

type FormOptions<Schema> = {
  id?: string;
  defaultValue?: DefaultValue<Schema>;
  constraint?: Parameters<typeof useForm>[0]['constraint'];
};

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
    lastResult,
    defaultNoValidate: false,
    shouldValidate: 'onSubmit',
    shouldRevalidate: 'onSubmit',
  });
}

const Unsaved = onDemand(async () => (await import('./unsaved.tsx')).Unsaved);

/** Fetches the question before somebody types: whoever leaves at once is asked, too. */
function useReady(asksToLeave: boolean) {
  useEffect(() => {
    if (asksToLeave) void Unsaved.load().catch(() => {});
  }, [asksToLeave]);
}

type FormPanelProps<Schema extends Record<string, unknown>> = Omit<FormProps, 'id' | 'onSubmit'> &
  FailureProps & {
    form: FormMetadata<Schema>;
    fields?: Record<string, string>;
    children: ReactNode;
    /** Whoever typed something and leaves is asked first. */
    asksToLeave?: boolean;
  };

/** The form itself, with what is wrong with it as a whole on top; `fields` are hidden values. */
export function FormPanel<Schema extends Record<string, unknown>>({
  form,
  className,
  children,
  asksToLeave = false,
  onInput,
  ...props
}: FormPanelProps<Schema>) {
  const [isTyped, setTyped] = useState(false);
  useReady(asksToLeave);
  const follow = (event: FormEvent<HTMLFormElement>) => {
    setTyped(asksToLeave);
    onInput?.(event as Parameters<NonNullable<typeof onInput>>[0]);
  };
  return (
    <ActionForm {...getFormProps(form)} {...props} className={cx('form', className)} onInput={follow}>
      <FormAlert id={form.errorId} errors={form.errors} />
      {children}
      {isTyped && <Unsaved isUnsaved />}
    </ActionForm>
  );
}
