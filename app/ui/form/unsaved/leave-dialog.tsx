import { useEffect, useId, useRef } from 'react';
import { Button } from '#app/ui/form/button.tsx';

type LeaveDialogProps = { stay: () => void; leave: () => void };

/** The safe button comes first and has the focus. */
export function LeaveDialog({ stay, leave }: LeaveDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={titleId} onClose={stay}>
      <h2 id={titleId} className="font-display text-xl font-semibold">
        Leave without saving?
      </h2>
      <p className="mt-3 text-ink-2">What you typed last is not saved. It is lost when you leave.</p>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={stay}>
          Keep editing
        </Button>
        <Button variant="danger" onClick={leave}>
          Leave without saving
        </Button>
      </div>
    </dialog>
  );
}
