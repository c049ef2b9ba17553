import type { SubmissionResult } from '@conform-to/react';
import { RESPONSE_HOURS, TICKET_REPLY_MAX } from '#app/domain/support/limits.ts';
import { FormPanel, SubmitButton, TextArea, useFormOf } from '#app/ui/form/form.tsx';
import { Banner } from '#app/ui/layout/page.tsx';
import { Time } from '#app/ui/time.tsx';
import type { PresentedThread } from './present.ts';

type ThreadViewProps = {
  thread: PresentedThread;
  action: string;
  result: SubmissionResult<string[]> | undefined;
};

export const ThreadView = ({ thread, action, result }: ThreadViewProps) => (
  <div className="grid gap-4">
    <ol className="grid gap-4">
      {thread.messages.map((message) => (
        <Message key={message.id} {...message} />
      ))}
    </ol>
    {thread.isClosed ? (
      <Banner title="This request is closed">
        Nothing more can be written here.{' '}
        <a href="/help#support" className="link">
          Send a new request
        </a>{' '}
        if something is left, and name #{thread.number}.
      </Banner>
    ) : (
      <WriteForm key={thread.messages.length} thread={thread} action={action} result={result} />
    )}
  </div>
);

const Message = ({ isOurs, text, at }: PresentedThread['messages'][number]) => (
  <li className={isOurs ? 'card p-4 bg-brand-soft border-brand' : 'card p-4'}>
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <h2 className="font-semibold">{isOurs ? 'Tidepost support' : 'You'}</h2>
      <Time {...at} className="text-sm text-ink-3" />
    </div>
    <p className="mt-2 whitespace-pre-wrap break-words" dir="auto">
      {text}
    </p>
  </li>
);

function WriteForm({ thread: { isResolved }, action, result }: ThreadViewProps) {
  const [form, fields] = useFormOf<{ message: string }>(result, {
    id: 'write',
    constraint: { message: { required: true, maxLength: TICKET_REPLY_MAX } },
  });
  const hint = isResolved
    ? 'We think that this is solved. Write to us, and it is open again.'
    : `We reply by mail within ${RESPONSE_HOURS} hours, and here.`;
  return (
    <FormPanel form={form} action={action} failure="Failed to send your message" isOnce>
      <TextArea field={fields.message} label="Your message" hint={hint} dir="auto" />
      <div>
        <SubmitButton busyLabel="Sending…">Send message</SubmitButton>
      </div>
    </FormPanel>
  );
}
