import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '#app/ui/cx.ts';

export type Step = { title: string; text?: ReactNode; isDone?: boolean; action?: ReactNode };

export function Steps({ steps }: { steps: Step[] }) {
  return (
    <ol className="steps">
      {steps.map((step, index) => (
        <li key={step.title} className={cx('step', step.isDone && 'is-done')}>
          <span aria-hidden className="step-mark">
            {step.isDone ? <Check size={16} strokeWidth={3} /> : index + 1}
          </span>
          <StepText {...step} />
        </li>
      ))}
    </ol>
  );
}

function StepText({ title, text, isDone, action }: Step) {
  const content = (
    <div className="min-w-0 max-w-prose">
      <p className="font-semibold">
        {title}
        {isDone && <span className="sr-only"> (done)</span>}
      </p>
      {text && <div className="text-sm text-ink-2">{text}</div>}
    </div>
  );
  if (!action) return content;
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-4 gap-y-3">
      {content}
      {action}
    </div>
  );
}
