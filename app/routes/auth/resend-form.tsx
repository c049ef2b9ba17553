import { useEffect, useState } from 'react';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { SubmitButton } from '#app/ui/form/button.tsx';

/** How long no code is sent again: in seconds for scripts to count, and until what time without them. */
export type Wait = { seconds: number; text: string };

/** Counts down from what the server has said; null before scripts run. */
function useSecondsLeft(wait: Wait | null): number | null {
  const [left, setLeft] = useState<number | null>(null);
  useEffect(() => {
    if (!wait) return;
    const end = performance.now() + wait.seconds * 1000;
    const show = () => setLeft(Math.max(0, Math.ceil((end - performance.now()) / 1000)));
    show();
    const timer = setInterval(show, 1000);
    return () => clearInterval(timer);
  }, [wait]);
  return left;
}

type ResendFormProps = { action: string; failure: string; label: string; wait: Wait | null };

export function ResendForm({ action, failure, label, wait }: ResendFormProps) {
  const left = useSecondsLeft(wait);
  return (
    <div>
      <ActionForm action={action} failure={failure}>
        <SubmitButton variant="secondary">{label}</SubmitButton>
      </ActionForm>
      <p className="mt-1.5 min-h-5 text-sm text-ink-3 tabular-nums">{wordsOf(wait, left)}</p>
    </div>
  );
}

function wordsOf(wait: Wait | null, left: number | null): string {
  if (!wait || left === 0) return 'No mail? Ask for another code.';
  return left === null ? wait.text : `Another code in ${left} s.`;
}
