import { CircleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';

export function FieldError({ field }: { field: { errors?: string[]; errorId: string } }) {
  if (!field.errors?.length) return null;
  return (
    <p id={field.errorId} className="field-error">
      <CircleAlert aria-hidden size={16} />
      <span>
        <span className="font-semibold">Error:</span> {field.errors.join(' ')}
      </span>
    </p>
  );
}

type FormAlertProps = { id: string; errors?: string[]; isUnsent?: boolean };

/** An error of the whole form. It takes the focus if no field has an error, or if the form was not sent. */
export function FormAlert({ id, errors, isUnsent = false }: FormAlertProps) {
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!errors?.length || !alert.current) return;
    const isField = alert.current.closest('form')?.querySelector('[aria-invalid=true]');
    if (isUnsent || !isField) alert.current.focus();
  }, [errors, isUnsent]);
  if (!errors?.length) return null;
  return (
    <div ref={alert} id={id} role="alert" tabIndex={-1} className="banner banner-danger">
      <CircleAlert aria-hidden size={20} className="banner-icon" />
      <p>
        <span className="font-semibold">Error:</span> {errors.join(' ')}
      </p>
    </div>
  );
}
