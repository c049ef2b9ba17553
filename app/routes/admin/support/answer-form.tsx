import type { SubmissionResult } from '@conform-to/react';
import { Link } from 'react-router';
import { TICKET_REPLY_MAX } from '#app/domain/support/limits.ts';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { FormPanel, TextArea, useFormOf } from '#app/ui/form/form.tsx';
import { SAVED_REPLIES } from './paths.ts';

export type Result = SubmissionResult<string[]> | undefined;
type Words = { act: 'answer' | 'note'; label: string; hint: string; button: string };
type WriteProps = Words & { result: Result; action: string; begun?: string };

export const Write = ({ act, label, hint, button, result, action, begun }: WriteProps) => {
  const isMine = result?.initialValue?.act === act;
  const [form, fields] = useFormOf<{ message: string; act: string }>(isMine ? result : undefined, {
    id: act,
    defaultValue: { message: begun },
    constraint: { message: { required: true, maxLength: TICKET_REPLY_MAX } },
  });
  return (
    <FormPanel form={form} action={action} fields={{ act }} failure={`Failed to send the ${act}`} isOnce>
      <TextArea field={fields.message} label={label} hint={hint} rows={3} dir="auto" />
      <SubmitButton variant={act === 'answer' ? 'primary' : 'secondary'} size="sm" className="self-start">
        {button}
      </SubmitButton>
    </FormPanel>
  );
};

export const ANSWER = {
  ...({ act: 'answer', label: 'Answer', button: 'Send answer' } as const),
  hint: 'Goes out by mail, and stands in the thread that the mail leads to.',
};
export const NOTE = {
  ...({ act: 'note', label: 'Internal note', button: 'Keep note' } as const),
  hint: 'Only admins read it.',
};

/** The addresses at which the answer begins with what was saved. */
export type Replies = { to: string; title: string; isChosen: boolean }[];

/** Links, so that a reply is chosen without scripts as well; what was typed is asked about before it goes. */
export const BeginWith = ({ replies }: { replies: Replies }) => (
  <nav aria-label="Saved replies" className="support-replies flex flex-wrap items-center gap-2">
    {replies.map(({ to, title, isChosen }) => (
      <ButtonLink
        key={to}
        to={to}
        preventScrollReset
        variant="secondary"
        size="sm"
        aria-current={isChosen || undefined}
      >
        {title}
      </ButtonLink>
    ))}
    <Link to={SAVED_REPLIES} className="link inline-flex min-h-11 items-center text-sm">
      Saved replies
    </Link>
  </nav>
);
