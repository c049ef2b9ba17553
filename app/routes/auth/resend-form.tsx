import { useEffect, useState } from 'react';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { SubmitButton } from '#app/ui/form/button.tsx';

/** How long until a code can be sent again: in seconds, to count down with scripts, and as a sentence for without. */
export type Wait = { seconds: number; text: string };

/** Returns null before scripts run. */
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
      <p className="mt-1.5 min-h-5 text-sm text-ink-3 tabular-nums">{waitText(wait, left)}</p>
    </div>
  );
}

function waitText(wait: Wait | null, left: number | null): string {
  if (!wait || left === 0) return 'No mail? Ask for another code.';
  return left === null ? wait.text : `Another code in ${left} s.`;
}
