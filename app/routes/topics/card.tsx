import { CirclePause, Pencil, ScrollText, Sparkles, Trash2 } from 'lucide-react';
import type { FormEvent } from 'react';
import { Form, Link, useFetcher } from 'react-router';
import { APPROVAL_WORDS } from '#app/domain/topics/limits.ts';
import { topicAddress } from '#app/routes/actions.ts';
import { Badge } from '#app/ui/components/badge.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { SubmitButton } from '#app/ui/form/button.tsx';
import { registerSwitch } from '#app/ui/form/failure/use-failure-message.ts';
import { SwitchTrack } from '#app/ui/form/switch.tsx';
import { CardErrors } from '#app/ui/messages/inline-notices.tsx';
import { capitalised } from '#app/ui/text.ts';
import { backTo, type ListPage, withDialog } from './paths.ts';
import type { TopicView } from './present.ts';
import { TopicRun, TopicStatus, TopicTurns } from './status.tsx';

export type CardProps = { topic: TopicView; listPage: ListPage };

const keywordCount = (keywords: number) =>
  keywords === 1 ? '1 keyword' : `${keywords === 0 ? 'No' : keywords} keywords`;

export function TopicCard(props: CardProps) {
  const { id, name, description, keywords, tone, approval, isActive, isPaused, key: asks } = props.topic;
  return (
    <Card as="li" id={`topic-${id}`} className="flex flex-col gap-3">
      <div className="flex items-start justify-between gap-3">
        <h2 className="min-w-0 text-lg font-semibold break-words">{name}</h2>
        <span className="-my-2">
          <TopicSwitch {...props} />
        </span>
      </div>
      <CardErrors id={`topic-${id}`} />
      {description && <p className="line-clamp-3 break-words text-ink-2">{description}</p>}
      <div className="flex flex-wrap gap-2">
        {!isActive && <Badge tone="warning">Inactive</Badge>}
        {isActive && isPaused && <Badge tone="warning">Paused</Badge>}
        <Badge tone="brand">{capitalised(tone)}</Badge>
        <Badge>{keywordCount(keywords.length)}</Badge>
        {approval !== 'settings' && <Badge>{APPROVAL_WORDS[approval]}</Badge>}
      </div>
      <TopicStatus {...props} />
      <TopicRun topic={props.topic} />
      <div className="mt-auto">
        <TopicTurns topic={props.topic} />
        <div className="mt-2 flex flex-wrap items-center gap-x-2">
          <TopicFacts topic={props.topic} />
          {asks && !props.topic.run?.isOpen && <WriteOne {...props} asks={asks} />}
        </div>
      </div>
      <TopicLinks {...props} />
    </Card>
  );
}

const TopicFacts = ({ topic: { id, name, facts } }: Pick<CardProps, 'topic'>) => (
  <p className="me-auto">
    <Link to={`/app/voice/facts?topic=${id}`} className="btn btn-sm btn-ghost -ms-3 text-ink-2">
      <ScrollText aria-hidden size={16} />
      {facts === 0 ? 'Add a fact' : facts === 1 ? '1 fact' : `${facts} facts`}
      <span className="sr-only"> about {name}</span>
    </Link>
  </p>
);

const WriteOne = ({ topic: { id, name }, listPage, asks }: CardProps & { asks: string }) => (
  <ActionForm
    action="/app/generate"
    fields={{ key: asks, topicId: id, count: '1', from: backTo(listPage, id) }}
    failure="Failed to generate posts"
    isOnce
    preventScrollReset
  >
    <SubmitButton size="sm" variant="ghost" className="-me-3" busyLabel="Starting…">
      <Sparkles aria-hidden size={16} />
      Write one now<span className="sr-only"> about {name}</span>
    </SubmitButton>
  </ActionForm>
);

const TopicLinks = ({ topic: { id, name, isActive }, listPage }: CardProps) => (
  <div className="-mb-2 flex items-center gap-1 border-t border-line pt-2">
    <Link to={withDialog(listPage, `edit=${id}`)} preventScrollReset className="btn btn-sm btn-ghost -ms-3">
      <Pencil aria-hidden size={16} />
      Edit<span className="sr-only"> {name}</span>
    </Link>
    {isActive && (
      <Link to={withDialog(listPage, `pause=${id}`)} preventScrollReset className="btn btn-sm btn-ghost">
        <CirclePause aria-hidden size={16} />
        Pause until…<span className="sr-only"> {name}</span>
      </Link>
    )}
    <Link
      to={withDialog(listPage, `confirm-delete=${id}`)}
      preventScrollReset
      title="Delete"
      className="icon-button ms-auto -me-3"
    >
      <Trash2 aria-hidden size={18} />
      <span className="sr-only">Delete {name}</span>
    </Link>
  </div>
);

const FAILURE = { failure: 'Failed to toggle topic status' };

/** Activates a topic immediately, but asks before it deactivates one. Always the same button, which keeps the focus. */
function TopicSwitch({ topic: { id, name, isActive }, listPage }: { topic: TopicView; listPage: ListPage }) {
  const key = `toggle-${id}`;
  const isBusy = useFetcher({ key }).state !== 'idle';
  const needsConfirmation = isActive && !isBusy;
  const posting = {
    method: 'post' as const,
    action: topicAddress(id, 'toggle'),
    navigate: false,
    fetcherKey: key,
    onSubmit: (event: FormEvent<HTMLFormElement>) => registerSwitch(event, FAILURE),
  };
  return (
    <Form preventScrollReset className="inline-flex" {...(needsConfirmation ? {} : posting)}>
      {needsConfirmation ? (
        listPage.cursor && <input type="hidden" name="cursor" value={listPage.cursor} />
      ) : (
        <input type="hidden" name="from" value={backTo(listPage, id)} />
      )}
      <SwitchTrack
        isOn={isActive || isBusy}
        label={`${name} is active`}
        name={needsConfirmation ? 'confirm-deactivate' : 'isActive'}
        value={needsConfirmation ? id : 'true'}
      />
    </Form>
  );
}
