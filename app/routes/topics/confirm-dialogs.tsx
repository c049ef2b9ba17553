import { Link } from 'react-router';
import { topicAddress } from '#app/routes/actions.ts';
import { ConfirmDialog } from '#app/ui/components/dialog.tsx';
import { backTo, type Place, pageOf } from './paths.ts';
import type { TopicView } from './present.ts';

type QuestionProps = { topic: TopicView; place: Place };

/** How many posts about it are written and not out, and what becomes of them. */
function Waiting({ waiting: { posts, unapproved } }: Pick<TopicView, 'waiting'>) {
  if (posts === 0) return <p className="mt-2">No post about it is waiting.</p>;
  const written = posts === 1 ? '1 post about it is' : `${posts} posts about it are`;
  const asked = posts === 1 ? 'for your approval' : `${unapproved} of them for your approval`;
  const [stays, it] = posts === 1 ? ['It keeps its time', 'it'] : ['They keep their times', 'them'];
  return (
    <p className="mt-2">
      {written} written and waiting{unapproved > 0 && `, ${asked}`}. {stays}, as if nothing had changed: skip
      or delete {it} on{' '}
      <Link to="/app/scheduled" className="link">
        Scheduled Posts
      </Link>{' '}
      if you do not want {it} to go out.
    </p>
  );
}

/** What its posts and facts come to without it. */
const left = ({ approval, waiting, facts }: TopicView) =>
  [
    approval === 'publish' && waiting.posts > 0 && 'Whether posts wait for you is then up to your settings.',
    facts > 0 && `Its ${facts === 1 ? 'fact stays and is' : 'facts stay and are'} for all topics then.`,
    'This action cannot be undone.',
  ]
    .filter(Boolean)
    .join(' ');

export const DeleteQuestion = ({ topic, place }: QuestionProps) => (
  <ConfirmDialog
    failure="Failed to delete topic"
    title={`Delete “${topic.name}”?`}
    body={
      <>
        <Waiting waiting={topic.waiting} />
        <p className="mt-2">{left(topic)}</p>
      </>
    }
    closeTo={pageOf(place)}
    confirmLabel="Delete topic"
    action={topicAddress(topic.id, 'delete')}
    fields={{ from: pageOf(place) }}
  />
);

export const DeactivateQuestion = ({ topic, place }: QuestionProps) => (
  <ConfirmDialog
    failure="Failed to toggle topic status"
    title={`Deactivate “${topic.name}”?`}
    body={
      <>
        <p>Nothing more is written about it by itself until you activate it again.</p>
        <Waiting waiting={topic.waiting} />
      </>
    }
    closeTo={pageOf(place)}
    confirmLabel="Deactivate topic"
    action={topicAddress(topic.id, 'toggle')}
    fields={{ from: backTo(place, topic.id) }}
    tone="neutral"
  />
);
