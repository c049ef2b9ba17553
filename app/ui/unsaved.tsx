import { useEffect, useId, useRef, useState } from 'react';
import { type Location, useBlocker, useNavigate } from 'react-router';
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

type Leaving = { to: Location; isReplacing: boolean };

/**
 * Stops whoever leaves until they answered. The router forgets whom it stopped as soon as another answer arrives
 * (a form sent just before, or a page that brings itself up to date), so the question is kept here.
 */
function useQuestion(isHeld: (here: Location, next: Location) => boolean) {
  const navigate = useNavigate();
  const isReplacing = useRef(false);
  const isFree = useRef(false);
  const [asked, setAsked] = useState<Leaving>();
  const [answered, setAnswered] = useState<Location>();
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    isReplacing.current = historyAction === 'REPLACE';
    return !isFree.current && isHeld(currentLocation, nextLocation);
  });
  if (blocker.location && blocker.location !== asked?.to) {
    setAsked({ to: blocker.location, isReplacing: isReplacing.current });
  }
  const stay = () => {
    setAnswered(asked?.to);
    blocker.reset?.();
  };
  const leave = async () => {
    setAnswered(asked?.to);
    if (blocker.proceed || !asked) return blocker.proceed?.();
    isFree.current = true;
    const { to, isReplacing: replace } = asked;
    await navigate(to, { replace, state: to.state, preventScrollReset: to.pathname === location.pathname });
    isFree.current = false;
  };
  return { isAsking: asked?.to !== answered, stay, leave };
}

/** Asks before a page is left on which something was typed and is not saved, whichever way it is left. */
export function Unsaved({ isUnsaved, holds = always, onAsk }: UnsavedProps) {
  const { isAsking, stay, leave } = useQuestion(
    (here, next) => isUnsaved && (here.pathname !== next.pathname || here.search !== next.search) && holds(),
  );
  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (holds()) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isUnsaved, holds]);
  useEffect(() => onAsk?.(isAsking), [isAsking, onAsk]);
  return isAsking && <Question stay={stay} leave={() => void leave()} />;
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
