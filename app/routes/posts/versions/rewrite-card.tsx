import type { SubmissionResult } from '@conform-to/react';
import { Card } from '#app/ui/components/card.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { SubmitButton } from '#app/ui/form/button.tsx';
import { SAID } from '#app/ui/layout/focus.ts';
import { Banner } from '#app/ui/layout/page.tsx';
import { Progress } from '#app/ui/messages/progress.tsx';
import type { Rewritten } from './load.ts';
import { AgainForm } from './rewrite-form.tsx';

const WHAT_STAYS =
  'A change that you ask for keeps its facts; another text may be built on others. The text of now is kept below.';

const THEN = {
  asked: 'A new text waits for your approval, as this one does.',
  anew: 'You approved this text. A new one waits for your approval again.',
  first: 'A new text waits for your approval before it goes out.',
};

type AgainCardProps = Rewritten & { result: SubmissionResult<string[]> | undefined };

/** What is being written, or what came of it and the way to ask for more. Nothing is asked while it is written. */
export function AgainCard({ id, why, approval, rewriting, result }: AgainCardProps) {
  const isOpen = rewriting?.isOpen === true && !result;
  const canAsk = why === null && !isOpen;
  return (
    <Card
      id="again"
      title="Have it written again"
      description={canAsk ? [WHAT_STAYS, approval && THEN[approval]].filter(Boolean).join(' ') : undefined}
    >
      {isOpen && <Rewriting rewriting={rewriting} />}
      {rewriting && !rewriting.isOpen && <Written rewriting={rewriting} isAsked={approval === 'asked'} />}
      {why && <Banner>{why}</Banner>}
      {canAsk && <AgainForm postId={id} typed={rewriting?.typed} result={result} />}
    </Card>
  );
}

type OfRewriting = { rewriting: NonNullable<Rewritten['rewriting']> };

const Asked = ({ rewriting: { instruction } }: OfRewriting) => (
  <span className="break-words">
    {instruction ? (
      <>
        You asked: “<bdi>{instruction}</bdi>”.
      </>
    ) : (
      'You asked for another text.'
    )}
  </span>
);

function Rewriting({ rewriting }: OfRewriting) {
  const { id, isSlow, words, spent, left } = rewriting;
  return (
    <>
      <div aria-live="polite" {...SAID}>
        <Progress value={spent} max={spent + (left ?? 1)} label={words} />
      </div>
      <p className="mt-3 text-ink-2">
        <Asked rewriting={rewriting} />
      </p>
      <p className="mt-1 text-sm text-ink-3">
        {isSlow
          ? 'The writer takes longer than usual. We keep trying. You can leave this page.'
          : 'You can leave this page. The text stays until the new one is there.'}
      </p>
      <ActionForm
        action={`/app/runs/${id}/stop`}
        failure="Failed to stop writing"
        preventScrollReset
        className="mt-3"
      >
        <SubmitButton size="sm" variant="secondary" busyLabel="Stopping…">
          Stop writing
        </SubmitButton>
      </ActionForm>
    </>
  );
}

/** What became of the text that was asked for. */
function Written({ rewriting, isAsked }: OfRewriting & { isAsked: boolean }) {
  const { error } = rewriting;
  const then = isAsked ? ' It waits for your approval.' : '';
  return (
    <div {...SAID} className="mb-4">
      <Banner
        tone={error ? 'warning' : 'success'}
        title={error ? 'The text stays as it was' : 'The new text is in place'}
      >
        <Asked rewriting={rewriting} /> {error ?? `The one before it is below.${then}`}
      </Banner>
    </div>
  );
}
