import type { SubmissionResult } from '@conform-to/react';
import { RefreshCw } from 'lucide-react';
import { INSTRUCTION_MAX, INSTRUCTIONS } from '#app/domain/writing/limits.ts';
import { ActionForm } from '#app/ui/action-form.tsx';
import { Card } from '#app/ui/card.tsx';
import { FormPanel, SubmitButton, TextField, useFormOf } from '#app/ui/form.tsx';
import { versionsAddress } from '../verbs.ts';

type AgainFormProps = { postId: string; isOpen: boolean; result?: SubmissionResult<string[]> };

const FAILURE = { failure: 'Failed to write the post again', isOnce: true, preventScrollReset: true };

/** Another text, one of the changes that are asked for most, or one in the author's own words. */
export function AgainForm({ postId, isOpen, result }: AgainFormProps) {
  const [form, fields] = useFormOf<{ instruction: string }>(result, {
    id: 'again',
    constraint: { instruction: { maxLength: INSTRUCTION_MAX } },
  });
  const action = versionsAddress(postId);
  return (
    <Card title="Have it written again" description="Its facts stay. The text you have now is kept below.">
      <div className="flex flex-wrap gap-2">
        <ActionForm action={action} {...FAILURE}>
          <SubmitButton size="sm" variant="secondary" busyLabel="Starting…" isBusy={isOpen}>
            <RefreshCw aria-hidden size={16} />
            Another text
          </SubmitButton>
        </ActionForm>
        {INSTRUCTIONS.map((instruction) => (
          <ActionForm key={instruction} action={action} fields={{ instruction }} {...FAILURE}>
            <SubmitButton size="sm" variant="secondary" busyLabel="Starting…" isBusy={isOpen}>
              {instruction}
            </SubmitButton>
          </ActionForm>
        ))}
      </div>
      <FormPanel form={form} action={action} {...FAILURE} className="mt-5">
        <TextField
          field={fields.instruction}
          label="Or say what to change"
          hint="For example: open with the letter, and leave the last paragraph out"
          autoComplete="off"
        />
        <div>
          <SubmitButton busyLabel="Starting…" isBusy={isOpen}>
            Write it again
          </SubmitButton>
        </div>
      </FormPanel>
    </Card>
  );
}
