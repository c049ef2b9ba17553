import type { SubmissionResult } from '@conform-to/react';
import { RefreshCw } from 'lucide-react';
import { INSTRUCTION_MAX, INSTRUCTIONS } from '#app/domain/writing/limits.ts';
import { versionsAddress } from '#app/routes/actions.ts';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { FormPanel, SubmitButton, TextArea, useFormOf } from '#app/ui/form/form.tsx';

type AgainFormProps = {
  postId: string;
  /** What was asked for and did not come about, to be asked once more or in other words. */
  typed: string | null | undefined;
  result: SubmissionResult<string[]> | undefined;
};

const FAILURE = { failure: 'Failed to write the post again', isOnce: true, preventScrollReset: true };

/** Another text, one of the changes that are asked for most, or one in the author's own words. */
export function AgainForm({ postId, typed, result }: AgainFormProps) {
  const [form, fields] = useFormOf<{ instruction: string }>(result, {
    id: 'ask-again',
    defaultValue: { instruction: typed ?? '' },
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
