import type { SubmissionResult } from '@conform-to/react';
import { RefreshCw } from 'lucide-react';
import { INSTRUCTION_MAX, INSTRUCTIONS } from '#app/domain/writing/limits.ts';
import { versionsAddress } from '#app/routes/actions.ts';
import { Card } from '#app/ui/components/card.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { SubmitButton } from '#app/ui/form/button.tsx';
import { FormPanel, TextArea, useFormOf } from '#app/ui/form/form.tsx';
import { RESULT_MESSAGE } from '#app/ui/layout/focus.ts';
import { Banner } from '#app/ui/layout/page.tsx';
import { Progress } from '#app/ui/messages/progress.tsx';
import type { RewritingData } from './load.ts';

const WHAT_STAYS =
  'A change that you ask for keeps its facts; another text may be built on others. The text of now is kept below.';

const APPROVAL_NOTES = {
  asked: 'A new text waits for your approval, as this one does.',
  anew: 'You approved this text. A new one waits for your approval again.',
  first: 'A new text waits for your approval before it goes out.',
};

type RewriteCardProps = RewritingData & { result: SubmissionResult<string[]> | undefined };

/** The progress or result of a rewrite, and the form for another one, which is hidden while one is running. */
export function RewriteCard({ id, why, approval, rewriting, result }: RewriteCardProps) {
  const isOpen = rewriting?.isOpen === true && !result;
  const canAsk = why === null && !isOpen;
  return (
    <Card
      id="again"
      title="Have it written again"
      description={
        canAsk ? [WHAT_STAYS, approval && APPROVAL_NOTES[approval]].filter(Boolean).join(' ') : undefined
      }
    >
      {isOpen && <Rewriting rewriting={rewriting} />}
      {rewriting && !rewriting.isOpen && (
        <RewriteResult rewriting={rewriting} needsApproval={approval === 'asked'} />
      )}
      {why && <Banner>{why}</Banner>}
      {canAsk && <RewriteForm postId={id} draft={rewriting?.typed} result={result} />}
    </Card>
  );
}

type RewritingProps = { rewriting: NonNullable<RewritingData['rewriting']> };

const Instruction = ({ rewriting: { instruction } }: RewritingProps) => (
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

function Rewriting({ rewriting }: RewritingProps) {
  const { id, isSlow, progressText, elapsedSeconds, secondsRemaining } = rewriting;
  return (
    <>
      <div aria-live="polite" {...RESULT_MESSAGE}>
        <Progress
          value={elapsedSeconds}
          max={elapsedSeconds + (secondsRemaining ?? 1)}
          label={progressText}
        />
      </div>
      <p className="mt-3 text-ink-2">
        <Instruction rewriting={rewriting} />
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

function RewriteResult({ rewriting, needsApproval }: RewritingProps & { needsApproval: boolean }) {
  const { error } = rewriting;
  const approvalNote = needsApproval ? ' It waits for your approval.' : '';
  return (
    <div {...RESULT_MESSAGE} className="mb-4">
      <Banner
        tone={error ? 'warning' : 'success'}
        title={error ? 'The text stays as it was' : 'The new text is in place'}
      >
        <Instruction rewriting={rewriting} /> {error ?? `The one before it is below.${approvalNote}`}
      </Banner>
    </div>
  );
}

type RewriteFormProps = {
  postId: string;
  /** The instruction of a failed rewrite, to edit and try again. */
  draft: string | null | undefined;
  result: SubmissionResult<string[]> | undefined;
};

const FAILURE = { failure: 'Failed to write the post again', isOnce: true, preventScrollReset: true };

function RewriteForm({ postId, draft, result }: RewriteFormProps) {
  const [form, fields] = useFormOf<{ instruction: string }>(result, {
    id: 'ask-again',
    defaultValue: { instruction: draft ?? '' },
    constraint: { instruction: { maxLength: INSTRUCTION_MAX } },
  });
  const action = versionsAddress(postId);
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <ActionForm action={action} {...FAILURE}>
          <SubmitButton size="sm" variant="secondary" busyLabel="Starting…">
            <RefreshCw aria-hidden size={16} />
            Another text
          </SubmitButton>
        </ActionForm>
        {INSTRUCTIONS.map((instruction) => (
          <ActionForm key={instruction} action={action} fields={{ instruction }} {...FAILURE}>
            <SubmitButton size="sm" variant="secondary" busyLabel="Starting…">
              {instruction}
            </SubmitButton>
          </ActionForm>
        ))}
      </div>
      <FormPanel form={form} action={action} {...FAILURE} className="mt-5">
        <TextArea
          field={fields.instruction}
          label="Or say what to change"
          hint="For example: open with the letter, and leave the last paragraph out"
          rows={2}
          dir="auto"
        />
        <div>
          <SubmitButton busyLabel="Starting…">Write it again</SubmitButton>
        </div>
      </FormPanel>
    </>
  );
}
