import { X } from 'lucide-react';
import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from 'react';
import { Link, type To, useNavigate, useNavigation, useResolvedPath } from 'react-router';
import { cx } from '#app/ui/cx.ts';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import type { FailureProps } from '#app/ui/form/failure/use-failure-message.ts';
import { useHydrated } from '#app/ui/use-hydrated.ts';

/** Where the focus goes when a dialog opens: the first of these that there is. */
const FIRST_STOPS = [
  '[data-first-stop]',
  '[aria-invalid=true]',
  // Of radio buttons the chosen one stands for all.
  'input:checked, input:not([type=hidden], [type=radio]), select, textarea',
  'input:not([type=hidden])',
  'h2',
];

type DialogProps = {
  title: string;
  closeTo: To;
  children: ReactNode;
  tone?: 'neutral' | 'danger';
  /** Has two columns where there is room. */
  isWide?: boolean;
};

/** Makes the dialog modal: focus moves in, stays inside and returns to where it was. */
function useModal(isOpen: boolean) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOver = useRef(false);
  // Before the scripts came; it does not rise a second time.
  const wasShown = useRef(!useHydrated());
  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement as HTMLElement | null;
    if (!element || !isOpen) return;
    isOver.current = false;
    // Whoever was in it before the scripts came goes on where they were.
    const isInside = element.contains(opener);
    const { scrollTop } = element;
    element.removeAttribute('open');
    if (wasShown.current) element.style.animation = 'none';
    element.showModal();
    // Removing `open` has reset the scroll position.
    element.scrollTop = scrollTop;
    const stops = FIRST_STOPS.map((selector) => element.querySelector<HTMLElement>(selector));
    (isInside ? opener : stops.find((stop) => stop !== null))?.focus({ preventScroll: scrollTop > 0 });
    return () => {
      isOver.current = true;
      element.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    };
  }, [isOpen]);
  return { dialog, isOver };
}

/** Whether the page without the dialog is on its way: the dialog need not be seen any more. */
function useLeaving(closeTo: To): boolean {
  const { location: next, formMethod } = useNavigation();
  const { pathname, search } = useResolvedPath(closeTo);
  return !formMethod && next?.pathname === pathname && next.search === search;
}

/**
 * A dialog that is a place of its own: the server renders it open, closing is a link to `closeTo`.
 * Scripts make it modal, and Escape closes it.
 */
export function Dialog({ title, closeTo, children, tone = 'neutral', isWide }: DialogProps) {
  const { dialog, isOver } = useModal(!useLeaving(closeTo));
  const titleId = useId();
  const navigate = useNavigate();
  const leave = () => void navigate(closeTo, { replace: true, preventScrollReset: true });

  const cancel = (event: SyntheticEvent) => {
    if (event.target !== dialog.current) return;
    event.preventDefault();
    leave();
  };
  // A browser closes what opened without a press of a key or button of its own, and asks nobody.
  const reopen = (event: SyntheticEvent) => {
    const element = dialog.current;
    if (event.target !== element || element?.open || isOver.current) return;
    element?.showModal();
    leave();
  };

  return (
    <div className="dialog-layer">
      <dialog
        ref={dialog}
        open
        className={cx('dialog', tone === 'danger' && 'dialog-danger', isWide && 'dialog-wide')}
        aria-labelledby={titleId}
        onCancel={cancel}
        onClose={reopen}
      >
        <header className="flex items-start justify-between gap-4">
          <h2 id={titleId} tabIndex={-1} className="font-display text-xl font-semibold">
            {title}
          </h2>
          <Link to={closeTo} replace preventScrollReset className="icon-button -me-2 -mt-2">
            <X aria-hidden size={20} />
            <span className="sr-only">Close</span>
          </Link>
        </header>
        {children}
      </dialog>
    </div>
  );
}

type ConfirmDialogProps = FailureProps & {
  title: string;
  body: ReactNode;
  closeTo: To;
  confirmLabel: string;
  cancelLabel?: string;
  action?: string;
  fields?: Record<string, string>;
  tone?: 'danger' | 'neutral';
};

/** Asks before what cannot be called back; the safe answer comes first and has the focus. */
export function ConfirmDialog({
  title,
  body,
  closeTo,
  confirmLabel,
  cancelLabel = 'Cancel',
  action,
  fields,
  tone = 'danger',
  ...words
}: ConfirmDialogProps) {
  return (
    <Dialog title={title} closeTo={closeTo} tone={tone}>
      <div className="mt-3 text-ink-2">{body}</div>
      <ActionForm
        {...words}
        action={action}
        fields={fields}
        preventScrollReset
        className="mt-6 flex flex-wrap justify-end gap-3"
      >
        <ButtonLink to={closeTo} replace preventScrollReset variant="secondary" data-first-stop>
          {cancelLabel}
        </ButtonLink>
        <SubmitButton variant={tone === 'danger' ? 'danger' : 'primary'}>{confirmLabel}</SubmitButton>
      </ActionForm>
    </Dialog>
  );
}

type DialogButtonsProps = {
  closeTo: To;
  busyLabel: string;
  cancelLabel?: string;
  isDanger?: boolean;
  children: string;
};

/** The last row of a form in a dialog. */
export const DialogButtons = ({
  closeTo,
  busyLabel,
  cancelLabel = 'Cancel',
  isDanger,
  children,
}: DialogButtonsProps) => (
  <div className="flex flex-wrap justify-end gap-3">
    <ButtonLink to={closeTo} replace preventScrollReset variant="secondary">
      {cancelLabel}
    </ButtonLink>
    <SubmitButton variant={isDanger ? 'danger' : 'primary'} busyLabel={busyLabel}>
      {children}
    </SubmitButton>
  </div>
);
