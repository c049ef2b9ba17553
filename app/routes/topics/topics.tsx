import { Pencil, Plus, Tags, Trash2 } from 'lucide-react';
import { Link, redirect, useSearchParams } from 'react-router';
import { db } from '#app/db/client.ts';
import { formatDate } from '#app/domain/dates.ts';
import { PageQuery } from '#app/domain/paging.ts';
import { saveTopic } from '#app/domain/queue/topic-consent.ts';
import { APPROVAL_WORDS } from '#app/domain/topics/limits.ts';
import { TopicInput } from '#app/domain/topics/schema.ts';
import { createTopic, listTopics } from '#app/domain/topics/topics.ts';
import { submit } from '#app/http/forms.ts';
import { notify } from '#app/http/notice.ts';
import { actorOf } from '#app/http/session.ts';
import { Badge } from '#app/ui/badge.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { capitalised } from '#app/ui/in-words.ts';
import { EmptyState, PageHeader } from '#app/ui/page.tsx';
import { knowsAll } from '#app/ui/same-page.ts';
import { SwitchButton } from '#app/ui/switch.tsx';
import { topicAddress } from '../verbs.ts';
import type { Route } from './+types/topics.ts';
import { TopicDialog } from './topic-dialog.tsx';
import { DeactivateQuestion, DeleteQuestion } from './topic-questions.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Topics – Tidepost' }];

export const shouldRevalidate = knowsAll;

export async function loader({ context }: Route.LoaderArgs) {
  const actor = actorOf(context);
  const { rows } = await listTopics(db(), actor, PageQuery.parse({ limit: 100 }));
  const topics = rows.map(({ createdAt: _, lastUsedAt, ...topic }) => ({
    ...topic,
    usedOn: lastUsedAt && formatDate(lastUsedAt, actor.timeZone),
  }));
  return { topics };
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
  const { topics } = loaderData;
  const { isCreating, editing, deleting, deactivating } = useAsked(topics);
  return (
    <>
      <PageHeader
        title="Topics"
        description="What your posts are about. Active topics take turns, the least recently used first."
        actions={topics.length > 0 && addTopic}
      />
      {topics.length === 0 ? (
        <EmptyState
          icon={Tags}
          title="No topics yet"
          text="Topics turn into posts every day. Name one thing you know well and want to be known for."
          action={addTopic}
        />
      ) : (
        <ul className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
          {topics.map((topic) => (
            <TopicCard key={topic.id} topic={topic} />
          ))}
        </ul>
      )}
      {(isCreating || editing) && <TopicDialog key={editing?.id} topic={editing} result={actionData} />}
      {deleting && <DeleteQuestion topic={deleting} />}
      {deactivating?.isActive && <DeactivateQuestion topic={deactivating} />}
    </>
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

const inCount = (keywords: number) =>
  keywords === 1 ? '1 keyword' : `${keywords === 0 ? 'No' : keywords} keywords`;

function TopicCard({ topic }: { topic: Topic }) {
  const { id, name, description, keywords, tone, approval, isActive } = topic;
  return (
    <Card as="li" id={`topic-${id}`} className="flex flex-col gap-3">
      <div className="flex items-start justify-between gap-3">
        <h2 className="min-w-0 text-lg font-semibold break-words">{name}</h2>
        <span className="-my-2">
          <SwitchButton
            failure="Failed to toggle topic status"
            isOn={isActive}
            label={`${name} is active`}
            action={topicAddress(id, 'toggle')}
            asksFirst={{ name: 'confirm-deactivate', value: id }}
          />
        </span>
      </div>
      {description && <p className="line-clamp-3 break-words text-ink-2">{description}</p>}
      <div className="flex flex-wrap gap-2">
        {!isActive && <Badge tone="warning">Inactive</Badge>}
        <Badge tone="brand">{capitalised(tone)}</Badge>
        <Badge>{inCount(keywords.length)}</Badge>
        {approval !== 'settings' && <Badge>{APPROVAL_WORDS[approval]}</Badge>}
      </div>
      <TopicFoot topic={topic} />
    </Card>
  );
}

/** When it had its last turn, and what can be done about it. */
const TopicFoot = ({ topic: { id, name, usedOn } }: { topic: Topic }) => (
  <div className="mt-auto -mb-2 flex items-center gap-1 border-t border-line pt-2">
    <p className="me-auto text-sm text-ink-3">{usedOn ? `Last written ${usedOn}` : 'Not written yet'}</p>
    <Link to={`?edit=${id}`} preventScrollReset className="btn btn-sm btn-ghost">
      <Pencil aria-hidden size={16} />
      Edit<span className="sr-only"> {name}</span>
    </Link>
    <Link to={`?confirm-delete=${id}`} preventScrollReset title="Delete" className="icon-button -me-3">
      <Trash2 aria-hidden size={18} />
      <span className="sr-only">Delete {name}</span>
    </Link>
  </div>
);
