import type { PresentedAttempt } from '#app/domain/publishing/timeline.ts';
import { Time } from '#app/ui/time.tsx';

export function Timeline({ attempts }: { attempts: PresentedAttempt[] }) {
  if (attempts.length === 0) return null;
  const total = attempts.at(-1)!.number;
  const omitted = attempts[0]!.number - 1;
  const count = total === 1 ? '1 attempt' : `${total.toLocaleString('en')} attempts`;
  return (
    <details className="text-sm">
      <summary className="opens btn btn-sm btn-ghost -ms-3 text-ink-2">{count} at LinkedIn</summary>
      {omitted > 0 && <p className="mt-1 text-ink-3">The latest {attempts.length} of them are shown.</p>}
      <ol className="mt-1 flex flex-col gap-2 border-s-2 border-line ps-3">
        {attempts.map(({ id, sent, iso, at, answer, next }) => (
          <li key={id}>
            <span className="text-ink-3">
              {sent} <Time iso={iso} text={at} className="tabular-nums" />
            </span>
            <span className="block">{answer ?? 'LinkedIn has not answered yet.'}</span>
            {next && (
              <span className="block text-ink-2">
                <span className="font-medium">Next:</span> {next}
              </span>
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}
