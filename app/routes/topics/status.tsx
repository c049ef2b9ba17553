import { topicAddress } from '#app/routes/actions.ts';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { RESULT_MESSAGE } from '#app/ui/layout/focus.ts';
import { Banner } from '#app/ui/layout/page.tsx';
import { Time } from '#app/ui/time.tsx';
import { backTo, type ListPage } from './paths.ts';
import type { TopicView } from './present.ts';

type TopicStatusProps = { topic: TopicView; listPage: ListPage };

const Resume = ({ topic: { id, name }, listPage }: TopicStatusProps) => (
  <ActionForm
    action={topicAddress(id, 'resume')}
    fields={{ from: backTo(listPage, id) }}
    failure="Failed to resume topic"
    preventScrollReset
  >
    <SubmitButton size="sm" variant="secondary" busyLabel="Resuming…">
      Resume<span className="sr-only"> {name}</span>
    </SubmitButton>
  </ActionForm>
);

export function TopicStatus(props: TopicStatusProps) {
  const { run, isActive, isPaused, pausedUntil, failures, failure } = props.topic;
  if (!isActive) return null;
  if (pausedUntil) {
    return (
      <Banner action={<Resume {...props} />}>
        Paused until <Time {...pausedUntil} className="font-medium" />
      </Banner>
    );
  }
  if (isPaused) {
    // The result of a requested post may say the same below.
    const why = run?.error?.endsWith(failure) ? '' : `The last time: ${failure}. `;
    return (
      <Banner tone="warning" action={<Resume {...props} />}>
        {failures > 1 && `It could not be written ${failures} times in a row. ${why}`}
        Its turns are left out until you resume it.
      </Banner>
    );
  }
  return failures === 0 || run ? null : (
    <p className="text-sm break-words text-ink-2">Not written the last time: {failure}.</p>
  );
}

export const TopicTurns = ({ topic: { next, usedOn } }: { topic: TopicView }) => (
  <p className="text-sm text-ink-3">
    {next?.at && (
      <span className="block text-ink-2">
        Next turn <Time {...next.at} className="font-medium tabular-nums" />
      </span>
    )}
    {next?.why && <span className="block text-ink-2">{next.why}</span>}
    {usedOn ? `Last written ${usedOn}` : 'Not written yet'}
  </p>
);

export function TopicRun({ topic: { run, name } }: { topic: TopicView }) {
  if (!run || (!run.isOpen && !run.postId && !run.error)) return null;
  const read = run.postId && (
    <ButtonLink to={`/app/posts/${run.postId}`} size="sm" variant="secondary">
      Read it<span className="sr-only">: the post about {name}</span>
    </ButtonLink>
  );
  return (
    <div role="status">
      {run.isOpen ? (
        <Banner>
          <span {...RESULT_MESSAGE}>A post about it is being written. It is ready in a minute or two.</span>
        </Banner>
      ) : (
        <Banner tone={run.postId ? 'success' : 'warning'} action={read}>
          <span {...RESULT_MESSAGE}>{run.postId ? 'A post about it is written.' : `${run.error}.`}</span>
        </Banner>
      )}
    </div>
  );
}
