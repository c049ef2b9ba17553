import type { SubmissionResult } from '@conform-to/react';
import { POST_MAX } from '#app/domain/posts/limits.ts';
import { EXAMPLE_MIN } from '#app/domain/voice/limits.ts';
import { Dialog } from '#app/ui/components/dialog.tsx';
import { FormPanel, SubmitButton, TextArea, useFormOf } from '#app/ui/form/form.tsx';
import { VOICE } from './tabs.tsx';

const CONSTRAINT = { content: { required: true, minLength: EXAMPLE_MIN, maxLength: POST_MAX } };

type ExampleDialogProps = { result?: SubmissionResult<string[]> | undefined };

/** Takes a text that the user wrote elsewhere. */
export function ExampleDialog({ result }: ExampleDialogProps) {
  const [form, fields] = useFormOf<{ content: string }>(result, { id: 'example', constraint: CONSTRAINT });
  return (
    <Dialog title="Paste a post of yours" closeTo={VOICE}>
      <FormPanel form={form} failure="Failed to save the example" className="mt-4">
        <TextArea
          field={fields.content}
          label="Text"
          hint="A whole post that you wrote yourself and would write like that again."
          rows={8}
          dir="auto"
        />
        <SubmitButton busyLabel="Saving…">Keep as an example</SubmitButton>
      </FormPanel>
    </Dialog>
  );
}
