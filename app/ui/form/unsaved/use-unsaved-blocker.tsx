import { useEffect, useRef, useState } from 'react';
import { type Location, type NavigationType, useBlocker, useNavigate } from 'react-router';
import { onDemand } from '#app/ui/lazy.tsx';

export const LeaveDialog = onDemand(async () => (await import('./leave-dialog.tsx')).LeaveDialog);

/** Whether a navigation would lose the input. */
export type Leaves = (current: Location, next: Location, type: `${NavigationType}`) => boolean;

const leavesPage: Leaves = (current, next) =>
  current.pathname !== next.pathname || current.search !== next.search;

type UnsavedProps = {
  isUnsaved: boolean;
  /** Checks again at the moment of leaving. */
  recheck?: () => boolean;
  /** By default: another path or another query. */
  leaves?: Leaves | undefined;
  /** Called when the dialog opens or closes. While it is open, nothing should save or navigate automatically. */
  onAsk?: (isAsking: boolean) => void;
};

const always = () => true;

type Submission = { form: HTMLFormElement; submitter: HTMLElement | null };
type Leaving = { to: Location; isReplacing: boolean; submission: Submission | undefined };

function useSubmission() {
  const submission = useRef<Submission>(undefined);
  useEffect(() => {
    const onSubmit = ({ target, submitter }: SubmitEvent) => {
      submission.current = { form: target as HTMLFormElement, submitter };
      setTimeout(() => {
        submission.current = undefined;
      });
    };
    document.addEventListener('submit', onSubmit, true);
    return () => document.removeEventListener('submit', onSubmit, true);
  }, []);
  return submission;
}

/**
 * Blocks navigations until the user decides. React Router forgets a blocked navigation when another response arrives (of an
 * earlier form, or a revalidation), so it is stored here.
 */
function useBlockedNavigation(isBlocked: Leaves) {
  const navigate = useNavigate();
  const submission = useSubmission();
  const last = useRef<Omit<Leaving, 'to'>>(undefined);
  const isConfirmed = useRef(false);
  const [blocked, setBlocked] = useState<Leaving>();
  const [decided, setDecided] = useState<Location>();
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    last.current = { isReplacing: historyAction === 'REPLACE', submission: submission.current };
    return !isConfirmed.current && isBlocked(currentLocation, nextLocation, historyAction);
  });
  if (blocker.location && blocker.location !== blocked?.to) {
    setBlocked({ to: blocker.location, ...last.current! });
  }
  const stay = () => {
    setDecided(blocked?.to);
    blocker.reset?.();
  };
  const leave = () => {
    setDecided(blocked?.to);
    if (blocker.proceed || !blocked) return blocker.proceed?.();
    const { to, isReplacing: replace, submission: form } = blocked;
    isConfirmed.current = true;
    if (form) form.form.requestSubmit(form.submitter);
    else
      void navigate(to, { replace, state: to.state, preventScrollReset: to.pathname === location.pathname });
    isConfirmed.current = false;
  };
  return { isAsking: blocked?.to !== decided, stay, leave };
}

const CONFIRM_TEXT = 'Leave without saving? What you typed last is not saved. It is lost when you leave.';

/** Asks before the user leaves the page with unsaved input, by any kind of navigation. */
export function UnsavedBlocker({ isUnsaved, recheck = always, leaves = leavesPage, onAsk }: UnsavedProps) {
  const { isAsking, stay, leave } = useBlockedNavigation(
    (current, next, type) => isUnsaved && leaves(current, next, type) && recheck(),
  );
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    // Loaded early, so that it opens without delay, and also without a connection.
    void LeaveDialog.load().then(
      () => setReady(true),
      () => {},
    );
  }, []);
  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (recheck()) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isUnsaved, recheck]);
  useEffect(() => onAsk?.(isAsking), [isAsking, onAsk]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once.
  useEffect(() => {
    if (isAsking && !isReady) (confirm(CONFIRM_TEXT) ? leave : stay)();
  }, [isAsking]);
  return isAsking && isReady && <LeaveDialog stay={stay} leave={leave} />;
}
