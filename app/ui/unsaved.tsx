import { useEffect, useRef, useState } from 'react';
import { type Location, useBlocker, useNavigate } from 'react-router';
import { onDemand } from './on-demand.tsx';

const LeaveQuestion = onDemand(async () => (await import('./leave-question.tsx')).LeaveQuestion);

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
    // Fetched before somebody leaves: it is asked at once, also when there is no connection by then.
    void LeaveQuestion.load().catch(() => {});
    const ask = (event: BeforeUnloadEvent) => {
      if (holds()) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isUnsaved, holds]);
  useEffect(() => onAsk?.(isAsking), [isAsking, onAsk]);
  return isAsking && <LeaveQuestion stay={stay} leave={() => void leave()} />;
}
