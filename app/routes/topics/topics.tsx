import { Plus, Tags } from 'lucide-react';
import { redirect, useSearchParams } from 'react-router';
import { db } from '#app/db/client.ts';
import { formatDate } from '#app/domain/dates.ts';
import { saveTopic } from '#app/domain/queue/topic-consent.ts';
import { TopicInput } from '#app/domain/topics/schema.ts';
import { createTopic, listTopics } from '#app/domain/topics/topics.ts';
import { countFacts } from '#app/domain/voice/fact-list.ts';
import { findVoice } from '#app/domain/voice/voice.ts';
import { submit } from '#app/http/forms.ts';
import { notify } from '#app/http/notice.ts';
import { actorOf } from '#app/http/session.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { EmptyState, PageHeader } from '#app/ui/page.tsx';
import { knowsDialogs } from '#app/ui/same-page.ts';
import type { Route } from './+types/topics.ts';
import { describeVoice } from './describe-voice.ts';
import { TopicCard } from './topic-card.tsx';
import { TopicDialog } from './topic-dialog.tsx';
import { DeactivateQuestion, DeleteQuestion } from './topic-questions.tsx';
import { VoiceLine } from './voice-line.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Topics – Tidepost' }];

export const shouldRevalidate = knowsDialogs('dialog', 'edit', 'confirm-delete', 'confirm-deactivate');

const PER_PAGE = 60;

export async function loader({ request, context }: Route.LoaderArgs) {
  const actor = actorOf(context);
  const cursor = new URL(request.url).searchParams.get('cursor') ?? undefined;
  const [{ rows, nextCursor }, counts, voice] = await Promise.all([
    listTopics(db(), actor, { limit: PER_PAGE, cursor }),
    countFacts(db(), actor),
    findVoice(db(), actor.userId),
  ]);
  const topics = rows.map(({ createdAt: _, lastUsedAt, ...topic }) => ({
    ...topic,
    usedOn: lastUsedAt && formatDate(lastUsedAt, actor.timeZone),
    facts: counts.get(topic.id) ?? 0,
  }));
  return { topics, nextCursor, isFirst: cursor === undefined, voice: describeVoice(voice, counts) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const topicId = new URL(request.url).searchParams.get('edit');
  return submit({ request, context }, TopicInput, async (input) => {
    const actor = actorOf(context);
    if (topicId) await saveTopic(db(), actor, { ...input, topicId });
    else await createTopic(db(), actor, input);
    notify(context, 'success', `Topic ${topicId ? 'updated' : 'created'} successfully`);
    return redirect('/app/topics');
  });
}

const addTopic = (
  <ButtonLink to="?dialog=topic" preventScrollReset>
    <Plus aria-hidden size={18} />
    Add topic
  </ButtonLink>
);

export default function Topics({ loaderData, actionData }: Route.ComponentProps) {
  const { topics, voice, nextCursor, isFirst } = loaderData;
  const cursor = useSearchParams()[0].get('cursor');
  const kept = cursor ? `cursor=${encodeURIComponent(cursor)}&` : '';
  const { isCreating, editing, deleting, deactivating } = useAsked(topics);
  return (
    <>
      <PageHeader
        title="Topics"
        description="What your posts are about. Active topics take turns, the least recently used first."
        actions={topics.length > 0 && addTopic}
      />
      {topics.length === 0 && isFirst ? (
        <>
          <EmptyState
            icon={Tags}
            title="No topics yet"
            text="Topics turn into posts every day. Name one thing you know well and want to be known for."
            action={addTopic}
          />
          <VoiceLine voice={voice} className="mt-6" />
        </>
      ) : (
        <>
          <VoiceLine voice={voice} className="mb-6" />
          <ul className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
            {topics.map((topic) => (
              <TopicCard key={topic.id} topic={topic} kept={kept} />
            ))}
          </ul>
          <MoreTopics next={nextCursor} isFirst={isFirst} />
        </>
      )}
      {(isCreating || editing) && <TopicDialog key={editing?.id} topic={editing} result={actionData} />}
      {deleting && <DeleteQuestion topic={deleting} />}
      {deactivating?.isActive && <DeactivateQuestion topic={deactivating} />}
    </>
  );
}

function MoreTopics({ next, isFirst }: { next: string | null; isFirst: boolean }) {
  if (!next && isFirst) return null;
  return (
    <nav aria-label="Pages" className="mt-6 flex flex-wrap justify-between gap-3">
      {isFirst ? (
        <span />
      ) : (
        <ButtonLink to="/app/topics" variant="secondary">
          Newest topics
        </ButtonLink>
      )}
      {next && (
        <ButtonLink to={`?cursor=${next}`} variant="secondary" rel="next">
          Older topics
        </ButtonLink>
      )}
    </nav>
  );
}

type Topic = Route.ComponentProps['loaderData']['topics'][number];

/** Which dialog the address asks for. */
function useAsked(topics: Topic[]) {
  const [query] = useSearchParams();
  const find = (name: string) => topics.find(({ id }) => id === query.get(name));
  return {
    isCreating: query.get('dialog') === 'topic',
    editing: find('edit'),
    deleting: find('confirm-delete'),
    deactivating: find('confirm-deactivate'),
  };
}
