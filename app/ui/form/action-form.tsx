import { createContext, type FormEvent, useContext, useEffect, useId, useState } from 'react';
import { Form, type FormProps, useNavigation } from 'react-router';
import { BODY_BYTES_MAX, FORM_TOO_LONG } from '#app/http/limits.ts';
import { type FailureProps, useRegisterForm } from '#app/ui/form/failure/use-failure-message.ts';
import { FormAlert } from './errors.tsx';

const BusyContext = createContext(false);

export const useFormBusy = () => useContext(BusyContext);

type ActionFormProps = FormProps & FailureProps & { fields?: Record<string, string> };

/** The server would reject the form. Not sending it keeps what was typed in place. */
const isTooLong = (form: HTMLFormElement) =>
  new URLSearchParams(new FormData(form) as unknown as Record<string, string>).toString().length >
  BODY_BYTES_MAX;

/**
 * A form that posts, with `fields` as hidden inputs. If the server does not respond, the page stays as it is, with what was
 * typed and an error.
 */
export function ActionForm({
  fields,
  failure,
  isOnce,
  onSubmit,
  children,
  method = 'post',
  ...props
}: ActionFormProps) {
  const { state } = useNavigation();
  const [wasSubmitted, setWasSubmitted] = useState(false);
  const [errors, setErrors] = useState<string[]>([]);
  const alertId = useId();
  const register = useRegisterForm({ failure, isOnce }, (sentence) => setErrors([sentence]));
  useEffect(() => {
    if (state === 'idle') setWasSubmitted(false);
  }, [state]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    onSubmit?.(event as Parameters<NonNullable<FormProps['onSubmit']>>[0]);
    const isRejected = isTooLong(event.currentTarget);
    setErrors(isRejected ? [FORM_TOO_LONG] : []);
    if (isRejected) event.preventDefault();
    if (event.defaultPrevented) return;
    const isSent = register(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter);
    if (isSent) setWasSubmitted(true);
    else event.preventDefault();
  };

  return (
    <Form {...props} method={method} onSubmit={submit}>
      {Object.entries(fields ?? {}).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <FormAlert id={alertId} errors={errors} isUnsent />
      <BusyContext value={wasSubmitted && state !== 'idle'}>{children}</BusyContext>
    </Form>
  );
}
