import { createContext, type FormEvent, useContext, useEffect, useState } from 'react';
import { Form, type FormProps, useNavigation } from 'react-router';

const BusyContext = createContext(false);

/** True while the form around the caller is on its way to the server. */
export const useFormBusy = () => useContext(BusyContext);

type ActionFormProps = FormProps & { fields?: Record<string, string> };

/** A posting form that knows when it is itself in flight, with fixed values as hidden inputs. */
export function ActionForm({ fields, onSubmit, children, method = 'post', ...props }: ActionFormProps) {
  const { state } = useNavigation();
  const [wasSubmitted, setWasSubmitted] = useState(false);
  useEffect(() => {
    if (state === 'idle') setWasSubmitted(false);
  }, [state]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    onSubmit?.(event as Parameters<NonNullable<FormProps['onSubmit']>>[0]);
    if (!event.defaultPrevented) setWasSubmitted(true);
  };

  return (
    <Form {...props} method={method} onSubmit={submit}>
      {Object.entries(fields ?? {}).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <BusyContext value={wasSubmitted && state !== 'idle'}>{children}</BusyContext>
    </Form>
  );
}
