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
import { backTo, type Place, withDialog } from './paths.ts';
import type { TopicView } from './present.ts';
import { TopicRun, TopicStatus, TopicTurns } from './status.tsx';

export type CardProps = { topic: TopicView; place: Place };

const inCount = (keywords: number) =>
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
        <Badge>{inCount(keywords.length)}</Badge>
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
      <TopicFoot {...props} />
    </Card>
  );
}

/** How many facts are its own, and the way to them. */
const TopicFacts = ({ topic: { id, name, facts } }: Pick<CardProps, 'topic'>) => (
  <p className="me-auto">
    <Link to={`/app/voice/facts?topic=${id}`} className="btn btn-sm btn-ghost -ms-3 text-ink-2">
      <ScrollText aria-hidden size={16} />
      {facts === 0 ? 'Add a fact' : facts === 1 ? '1 fact' : `${facts} facts`}
      <span className="sr-only"> about {name}</span>
    </Link>
  </p>
);

/** A post about it at once, whoever's turn it is. */
const WriteOne = ({ topic: { id, name }, place, asks }: CardProps & { asks: string }) => (
  <ActionForm
    action="/app/generate"
    fields={{ key: asks, topicId: id, count: '1', from: backTo(place, id) }}
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

/** What can be done about it. */
const TopicFoot = ({ topic: { id, name, isActive }, place }: CardProps) => (
  <div className="-mb-2 flex items-center gap-1 border-t border-line pt-2">
    <Link to={withDialog(place, `edit=${id}`)} preventScrollReset className="btn btn-sm btn-ghost -ms-3">
      <Pencil aria-hidden size={16} />
      Edit<span className="sr-only"> {name}</span>
    </Link>
    {isActive && (
      <Link to={withDialog(place, `pause=${id}`)} preventScrollReset className="btn btn-sm btn-ghost">
        <CirclePause aria-hidden size={16} />
        Pause until…<span className="sr-only"> {name}</span>
      </Link>
    )}
    <Link
      to={withDialog(place, `confirm-delete=${id}`)}
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

/** Activates a topic at once; asks before it deactivates one. It is one button all the while, which keeps the focus. */
function TopicSwitch({ topic: { id, name, isActive }, place }: { topic: TopicView; place: Place }) {
  const key = `toggle-${id}`;
  const isBusy = useFetcher({ key }).state !== 'idle';
  const isAsking = isActive && !isBusy;
  const posting = {
    method: 'post' as const,
    action: topicAddress(id, 'toggle'),
    navigate: false,
    fetcherKey: key,
    onSubmit: (event: FormEvent<HTMLFormElement>) => registerSwitch(event, FAILURE),
  };
  return (
    <Form preventScrollReset className="inline-flex" {...(isAsking ? {} : posting)}>
      {isAsking ? (
        place.cursor && <input type="hidden" name="cursor" value={place.cursor} />
      ) : (
        <input type="hidden" name="from" value={backTo(place, id)} />
      )}
      <SwitchTrack
        isOn={isActive || isBusy}
        label={`${name} is active`}
        name={isAsking ? 'confirm-deactivate' : 'isActive'}
        value={isAsking ? id : 'true'}
      />
    </Form>
  );
}
