import { useEffect, useRef, useState } from 'react';
import { type Location, type NavigationType, useBlocker, useNavigate } from 'react-router';
import { onDemand } from '#app/ui/lazy.tsx';

export const LeaveDialog = onDemand(async () => (await import('./leave-dialog.tsx')).LeaveDialog);

/** Whether what is typed here goes with a navigation. */
export type Leaves = (here: Location, next: Location, how: `${NavigationType}`) => boolean;

const leavesPage: Leaves = (here, next) => here.pathname !== next.pathname || here.search !== next.search;

type UnsavedProps = {
  /** Whether something would be lost. */
  isUnsaved: boolean;
  /** Looks again at the moment of leaving. */
  holds?: () => boolean;
  /** Another place or another search, unless it is said. */
  leaves?: Leaves | undefined;
  /** Told whether somebody is being asked; until they answer nothing should save or leave by itself. */
  onAsk?: (isAsking: boolean) => void;
};

const always = () => true;

type Sent = { form: HTMLFormElement; submitter: HTMLElement | null };
/** `sent`: the form that leads there. */
type Leaving = { to: Location; isReplacing: boolean; sent: Sent | undefined };

/** The form that is being sent at this moment. */
function useSent() {
  const sent = useRef<Sent>(undefined);
  useEffect(() => {
    const note = ({ target, submitter }: SubmitEvent) => {
      sent.current = { form: target as HTMLFormElement, submitter };
      setTimeout(() => {
        sent.current = undefined;
      });
    };
    document.addEventListener('submit', note, true);
    return () => document.removeEventListener('submit', note, true);
  }, []);
  return sent;
}

/**
 * Stops whoever leaves until they answered. The router forgets whom it stopped as soon as another answer arrives
 * (a form sent just before, or a page that brings itself up to date), so the question is kept here.
 */
function useQuestion(isHeld: Leaves) {
  const navigate = useNavigate();
  const sent = useSent();
  const last = useRef<Omit<Leaving, 'to'>>(undefined);
  const isFree = useRef(false);
  const [asked, setAsked] = useState<Leaving>();
  const [answered, setAnswered] = useState<Location>();
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    last.current = { isReplacing: historyAction === 'REPLACE', sent: sent.current };
    return !isFree.current && isHeld(currentLocation, nextLocation, historyAction);
  });
  if (blocker.location && blocker.location !== asked?.to) {
    setAsked({ to: blocker.location, ...last.current! });
  }
  const stay = () => {
    setAnswered(asked?.to);
    blocker.reset?.();
  };
  const leave = () => {
    setAnswered(asked?.to);
    if (blocker.proceed || !asked) return blocker.proceed?.();
    const { to, isReplacing: replace, sent } = asked;
    isFree.current = true;
    if (sent) sent.form.requestSubmit(sent.submitter);
    else
      void navigate(to, { replace, state: to.state, preventScrollReset: to.pathname === location.pathname });
    isFree.current = false;
  };
  return { isAsking: asked?.to !== answered, stay, leave };
}

const PLAINLY = 'Leave without saving? What you typed last is not saved. It is lost when you leave.';

/** Asks before a page is left on which something was typed and is not saved, whichever way it is left. */
export function UnsavedBlocker({ isUnsaved, holds = always, leaves = leavesPage, onAsk }: UnsavedProps) {
  const { isAsking, stay, leave } = useQuestion(
    (here, next, how) => isUnsaved && leaves(here, next, how) && holds(),
  );
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    // Fetched before somebody leaves: it is asked at once, also when there is no connection by then.
    void LeaveDialog.load().then(
      () => setReady(true),
      () => {},
    );
  }, []);
  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (holds()) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isUnsaved, holds]);
  useEffect(() => onAsk?.(isAsking), [isAsking, onAsk]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is asked once.
  useEffect(() => {
    if (isAsking && !isReady) (confirm(PLAINLY) ? leave : stay)();
  }, [isAsking]);
  return isAsking && isReady && <LeaveDialog stay={stay} leave={leave} />;
}
