import { LoaderCircle } from 'lucide-react';
import type { ComponentProps, MouseEvent } from 'react';
import { Link, type LinkProps } from 'react-router';
import { cx } from '#app/ui/cx.ts';
import { useFormBusy } from './action-form.tsx';

type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';
type ButtonSize = 'md' | 'sm';
type Look = { variant?: ButtonVariant; size?: ButtonSize };

const look = ({ variant = 'primary', size = 'md' }: Look, className?: string) =>
  cx('btn', `btn-${variant}`, size === 'sm' && 'btn-sm', className);

type ButtonProps = ComponentProps<'button'> & Look & { isBusy?: boolean };

/** A busy button stays focusable and ignores clicks. */
export function Button({ variant, size, isBusy, className, children, onClick, ...props }: ButtonProps) {
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    if (isBusy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...props}
      className={look({ variant, size }, className)}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={click}
    >
      {isBusy && <LoaderCircle aria-hidden className="spinner" />}
      {children}
    </button>
  );
}

export function ButtonLink({ variant, size, className, ...props }: LinkProps & Look) {
  return <Link {...props} className={look({ variant, size }, className)} />;
}

type SubmitButtonProps = ButtonProps & { busyLabel?: string };

export function SubmitButton({ children, busyLabel, isBusy, ...props }: SubmitButtonProps) {
  const isSending = useFormBusy() || isBusy;
  return (
    <Button type="submit" {...props} isBusy={isSending}>
      {isSending && busyLabel ? busyLabel : children}
    </Button>
  );
}
