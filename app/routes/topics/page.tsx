import { Plus, Tags } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { actorOf } from '#app/http/session/session.ts';
import { KeepFresh } from '#app/ui/auto-refresh.tsx';
import { Pager } from '#app/ui/components/pager.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import { knowsDialogs } from '#app/ui/should-revalidate.ts';
import type { Route } from './+types/page.ts';
import { TopicCard } from './card.tsx';
import { DeactivateQuestion, DeleteQuestion } from './confirm-dialogs.tsx';
import { TopicDialog } from './dialog.tsx';
import { loadTopics } from './load.ts';
import { NoTurns } from './no-turns.tsx';
import { ABOUT_ONE, askedIn, type Place, pageOf } from './paths.ts';
import { PauseDialog } from './pause-dialog.tsx';
import { storePause, storeTopic } from './save.ts';
import { VoiceLine } from './voice-line.tsx';

export const meta: Route.MetaFunction = () => [
  { title: 'Topics – Tidepost' },
  {
    name: 'description',
    content: 'What your posts are about: your topics, their tone and how often each has its turn.',
  },
];

export const shouldRevalidate = knowsDialogs('dialog', ...ABOUT_ONE);

export const loader = ({ request, context }: Route.LoaderArgs) =>
  loadTopics(actorOf(context), new URL(request.url).searchParams);

export function action({ request, context }: Route.ActionArgs) {
  const paused = new URL(request.url).searchParams.get('pause');
  return paused ? storePause({ request, context }, paused) : storeTopic({ request, context });
}

const AddTopic = ({ place }: { place: Place }) => (
  <ButtonLink to={askedIn(place, 'dialog=topic')} preventScrollReset>
    <Plus aria-hidden size={18} />
    Add topic
  </ButtonLink>
);

export default function Topics({ loaderData, actionData }: Route.ComponentProps) {
  const { topics, voice, place, noTurns } = loaderData;
  return (
    <>
      <PageHeader
        title="Topics"
        description="What your posts are about. Active topics take turns, the least recently used first."
        actions={topics.length > 0 && <AddTopic place={place} />}
      />
      {topics.length === 0 ? (
        <>
          <EmptyState
            icon={Tags}
            title="No topics yet"
            text="Topics turn into posts every day. Name one thing you know well and want to be known for."
            action={<AddTopic place={place} />}
          />
          <VoiceLine voice={voice} className="mt-6" />
        </>
      ) : (
        <>
          <VoiceLine voice={voice} className="mb-6" />
          {noTurns && <NoTurns {...noTurns} />}
          <ul className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
            {topics.map((topic) => (
              <TopicCard key={topic.id} topic={topic} place={place} />
            ))}
          </ul>
          <MoreTopics {...loaderData} />
        </>
      )}
      <Asked {...loaderData} result={actionData} />
      <Fresh {...loaderData} />
    </>
  );
}

type Shown = Route.ComponentProps['loaderData'];

function MoreTopics({ nextCursor, place }: Shown) {
  return (
    <Pager
      first={place.cursor ? '/app/topics' : null}
      firstLabel="Newest topics"
      next={nextCursor && pageOf({ cursor: nextCursor })}
      nextLabel="Older topics"
    />
  );
}

/** Until the post that is being written is there; whoever has a dialog open is not disturbed. */
function Fresh({ fresh }: Shown) {
  const [query] = useSearchParams();
  const isAsked = ['dialog', ...ABOUT_ONE].some((name) => query.has(name));
  return fresh && !isAsked ? <KeepFresh to={fresh} /> : null;
}

/** The dialog that the address asks for. */
function Asked({ topics, place, pause, result }: Shown & { result: Route.ComponentProps['actionData'] }) {
  const [query] = useSearchParams();
  const isCreating = query.get('dialog') === 'topic';
  const [editing, pausing, deleting, deactivating] = ABOUT_ONE.map((name) =>
    topics.find(({ id }) => id === query.get(name)),
  );
  return (
    <>
      {(isCreating || editing) && (
        <TopicDialog key={editing?.id} topic={editing} place={place} result={result} />
      )}
      {pausing?.isActive && <PauseDialog topic={pausing} place={place} days={pause} result={result} />}
      {deleting && <DeleteQuestion topic={deleting} place={place} />}
      {deactivating?.isActive && <DeactivateQuestion topic={deactivating} place={place} />}
    </>
  );
}
