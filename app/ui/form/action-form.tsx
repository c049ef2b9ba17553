import { createContext, type FormEvent, useContext, useEffect, useId, useState } from 'react';
import { Form, type FormProps, useNavigation } from 'react-router';
import { BODY_BYTES_MAX, FORM_TOO_LONG } from '#app/http/limits.ts';
import { type FailureProps, useRegisterForm } from '#app/ui/form/failure/use-failure-message.ts';
import { FormAlert } from './errors.tsx';

const BusyContext = createContext(false);

/** True while the form around the caller is on its way to the server. */
export const useFormBusy = () => useContext(BusyContext);

type ActionFormProps = FormProps & FailureProps & { fields?: Record<string, string> };

/** What the server would not read is not sent: what was typed stays where it is. */
const isTooLong = (form: HTMLFormElement) =>
  new URLSearchParams(new FormData(form) as unknown as Record<string, string>).toString().length >
  BODY_BYTES_MAX;

/**
 * A posting form that knows when it is itself in flight, with fixed values as hidden inputs. Without an answer it
 * stays, with what was typed.
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
  const note = useRegisterForm({ failure, isOnce }, (sentence) => setErrors([sentence]));
  useEffect(() => {
    if (state === 'idle') setWasSubmitted(false);
  }, [state]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    onSubmit?.(event as Parameters<NonNullable<FormProps['onSubmit']>>[0]);
    const refused = isTooLong(event.currentTarget);
    setErrors(refused ? [FORM_TOO_LONG] : []);
    if (refused) event.preventDefault();
    if (event.defaultPrevented) return;
    const isSent = note(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter);
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
