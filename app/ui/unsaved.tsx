import { useEffect, useId, useRef } from 'react';
import { useBlocker } from 'react-router';
import { Button } from './button.tsx';

type UnsavedProps = {
  /** Whether something would be lost. */
  isUnsaved: boolean;
  /** Looks again at the moment of leaving. */
  holds?: () => boolean;
  /** Told whether somebody is being asked; until they answer nothing should save or leave by itself. */
  onAsk?: (isAsking: boolean) => void;
};

const always = () => true;

/** Asks before a page is left on which something was typed and is not saved, whichever way it is left. */
export function Unsaved({ isUnsaved, holds = always, onAsk }: UnsavedProps) {
  const blocker = useBlocker(
    ({ currentLocation: here, nextLocation: next }) =>
      isUnsaved && (here.pathname !== next.pathname || here.search !== next.search) && holds(),
  );
  const isAsking = blocker.state === 'blocked';
  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (holds()) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isUnsaved, holds]);
  useEffect(() => onAsk?.(isAsking), [isAsking, onAsk]);
  return isAsking && <Question stay={blocker.reset} leave={blocker.proceed} />;
}

/** The safe answer comes first and has the focus. */
function Question({ stay, leave }: { stay: () => void; leave: () => void }) {
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
