import type { SubmissionResult } from '@conform-to/react';
import { Plus, Tags } from 'lucide-react';
import { Link, redirect, useSearchParams } from 'react-router';
import { type Db, db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { cursorBefore } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { saveTopic } from '#app/domain/publishing/approval/save-topic.ts';
import { countWaitingByTopic } from '#app/domain/publishing/slots/waiting-posts.ts';
import { pauseTopic } from '#app/domain/topics/pauses.ts';
import { TopicForm, TopicPause } from '#app/domain/topics/schema.ts';
import { createTopicFromForm, findTopic, listTopics } from '#app/domain/topics/topics.ts';
import { countFacts } from '#app/domain/voice/fact-list.ts';
import { findVoice } from '#app/domain/voice/voice.ts';
import { findFreePosts } from '#app/domain/writing/quota.ts';
import { listTopicRuns } from '#app/domain/writing/runs/list-by-topic.ts';
import { findNextTurns } from '#app/domain/writing/runs/upcoming-topics.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import { topicAddress } from '#app/routes/actions.ts';
import { InterviewOffer } from '#app/routes/voice/interview/offer.tsx';
import { AutoRefresh } from '#app/ui/auto-refresh.tsx';
import { ConfirmDialog, Dialog } from '#app/ui/components/dialog.tsx';
import { Pager } from '#app/ui/components/pager.tsx';
import { cx } from '#app/ui/cx.ts';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { FormPanel, SubmitButton, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import { ignoreDialogParams } from '#app/ui/should-revalidate.ts';
import type { Route } from './+types/page.ts';
import { TopicCard } from './card.tsx';
import { TopicDialog } from './dialog.tsx';
import { backTo, type ListPage, pageOf, TOPIC_DIALOGS, withDialog } from './paths.ts';
import { nameDayOf, pauseChoices, presentTopic, type TopicView } from './present.ts';
import { presentVoice } from './present-voice.ts';

export const meta: Route.MetaFunction = () =>
  pageMeta('Topics', 'What your posts are about: your topics, their tone and how often each has its turn.');

export const shouldRevalidate = ignoreDialogParams('dialog', ...TOPIC_DIALOGS);

export const loader = ({ request, context }: Route.LoaderArgs) =>
  loadTopics(actorOf(context), new URL(request.url).searchParams);

export function action({ request, context }: Route.ActionArgs) {
  const topicId = new URL(request.url).searchParams.get('pause');
  return topicId ? savePause({ request, context }, topicId) : saveTopicForm({ request, context });
}

const AddTopic = ({ listPage }: { listPage: ListPage }) => (
  <ButtonLink to={withDialog(listPage, 'dialog=topic')} preventScrollReset>
    <Plus aria-hidden size={18} />
    Add topic
  </ButtonLink>
);

export default function Topics({ loaderData, actionData }: Route.ComponentProps) {
  const { topics, voice, listPage, noTurns, nextCursor } = loaderData;
  return (
    <>
      <PageHeader
        title="Topics"
        description="What your posts are about. Active topics take turns, the least recently used first."
        actions={topics.length > 0 && <AddTopic listPage={listPage} />}
      />
      {topics.length === 0 ? (
        <>
          <EmptyState
            icon={Tags}
            title="No topics yet"
            text="Topics turn into posts every day. Name one thing you know well and want to be known for."
            action={<AddTopic listPage={listPage} />}
          />
          <VoiceSummary voice={voice} className="mt-6" />
        </>
      ) : (
        <>
          <VoiceSummary voice={voice} className="mb-6" />
          {noTurns && <NoTurnsNote {...noTurns} />}
          <ul className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
            {topics.map((topic) => (
              <TopicCard key={topic.id} topic={topic} listPage={listPage} />
            ))}
          </ul>
          <Pager
            first={listPage.cursor ? '/app/topics' : null}
            firstLabel="Newest topics"
            next={nextCursor && pageOf({ cursor: nextCursor })}
            nextLabel="Older topics"
          />
        </>
      )}
      <OpenDialog {...loaderData} result={actionData} />
      <TopicsRefresh {...loaderData} />
    </>
  );
}

type PageData = Route.ComponentProps['loaderData'];

/** Reloads the page while a post is written, but not while a dialog is open. */
function TopicsRefresh({ fresh }: PageData) {
  const [query] = useSearchParams();
  const hasDialog = ['dialog', ...TOPIC_DIALOGS].some((name) => query.has(name));
  return fresh && !hasDialog ? <AutoRefresh to={fresh} /> : null;
}

type OpenDialogProps = PageData & { result: Route.ComponentProps['actionData'] };

function OpenDialog({ topics, formKey, listPage, pause, result }: OpenDialogProps) {
  const [query] = useSearchParams();
  const isCreating = query.get('dialog') === 'topic';
  const [editing, pausing, deleting, deactivating] = TOPIC_DIALOGS.map((name) =>
    topics.find(({ id }) => id === query.get(name)),
  );
  return (
    <>
      {(isCreating || editing) && (
        <TopicDialog
          key={editing?.id}
          topic={editing}
          formKey={formKey}
          listPage={listPage}
          result={result}
        />
      )}
      {pausing?.isActive && <PauseDialog topic={pausing} listPage={listPage} days={pause} result={result} />}
      {deleting && <DeleteDialog topic={deleting} listPage={listPage} />}
      {deactivating?.isActive && <DeactivateDialog topic={deactivating} listPage={listPage} />}
    </>
  );
}

type ConfirmProps = { topic: TopicView; listPage: ListPage };

function Waiting({ waiting: { posts, unapproved } }: Pick<TopicView, 'waiting'>) {
  if (posts === 0) return <p className="mt-2">No post about it is waiting.</p>;
  const written = posts === 1 ? '1 post about it is' : `${posts} posts about it are`;
  const approvals = posts === 1 ? 'for your approval' : `${unapproved} of them for your approval`;
  const [stays, it] = posts === 1 ? ['It keeps its time', 'it'] : ['They keep their times', 'them'];
  return (
    <p className="mt-2">
      {written} written and waiting{unapproved > 0 && `, ${approvals}`}. {stays}, as if nothing had changed:
      skip or delete {it} on{' '}
      <Link to="/app/scheduled" className="link">
        Scheduled Posts
      </Link>{' '}
      if you do not want {it} to go out.
    </p>
  );
}

const describeLoss = ({ approval, waiting, facts }: TopicView) =>
  [
    approval === 'publish' && waiting.posts > 0 && 'Whether posts wait for you is then up to your settings.',
    facts > 0 && `Its ${facts === 1 ? 'fact stays and is' : 'facts stay and are'} for all topics then.`,
    'This action cannot be undone.',
  ]
    .filter(Boolean)
    .join(' ');

const DeleteDialog = ({ topic, listPage }: ConfirmProps) => (
  <ConfirmDialog
    failure="Failed to delete topic"
    title={`Delete “${topic.name}”?`}
    body={
      <>
        <Waiting waiting={topic.waiting} />
        <p className="mt-2">{describeLoss(topic)}</p>
      </>
    }
    closeTo={pageOf(listPage)}
    confirmLabel="Delete topic"
    action={topicAddress(topic.id, 'delete')}
    fields={{ from: pageOf(listPage) }}
  />
);
const DeactivateDialog = ({ topic, listPage }: ConfirmProps) => (
  <ConfirmDialog
    failure="Failed to toggle topic status"
    title={`Deactivate “${topic.name}”?`}
    body={
      <>
        <p>Nothing more is written about it by itself until you activate it again.</p>
        <Waiting waiting={topic.waiting} />
      </>
    }
    closeTo={pageOf(listPage)}
    confirmLabel="Deactivate topic"
    action={topicAddress(topic.id, 'toggle')}
    fields={{ from: backTo(listPage, topic.id) }}
    tone="neutral"
  />
);

/** Why no topic has turns. The layout says how to change that. */
const NoTurnsNote = ({ why, hasFree }: NonNullable<Awaited<ReturnType<typeof loadTopics>>['noTurns']>) => (
  <p className="mb-4 text-ink-2">
    {why === 'no_plan'
      ? `Without a plan no topic has a turn by itself.${hasFree ? ' “Write one now” uses up a free post.' : ''}`
      : 'No topic has a turn by itself until automation is on again. “Write one now” works all the same.'}
  </p>
);

type PauseDialogProps = {
  topic: TopicView;
  days: { first: string; last: string; usual: string };
  listPage: ListPage;
  result?: SubmissionResult<string[]> | undefined;
};

function PauseDialog({ topic, days, listPage, result }: PauseDialogProps) {
  const [form, fields] = useFormOf<{ until: string }>(result, {
    id: 'pause',
    defaultValue: { until: topic.pausedUntil?.date ?? days.usual },
    constraint: { until: { required: true, min: days.first, max: days.last } },
  });
  return (
    <Dialog title={`Pause “${topic.name}”`} closeTo={pageOf(listPage)}>
      <p className="mt-3 text-ink-2">
        Nothing is written about it by itself before that day, and other topics take its turns. Posts that are
        already written keep their times.
      </p>
      <FormPanel form={form} failure="Failed to pause topic" className="mt-4">
        <TextField
          field={fields.until}
          type="date"
          label="Pause until"
          hint="On that day it has its turns again by itself."
        />
        <SubmitButton busyLabel="Pausing…">Pause topic</SubmitButton>
      </FormPanel>
    </Dialog>
  );
}

type Args = Pick<Route.ActionArgs, 'request' | 'context'>;

const queryOf = ({ url }: Request) => new URL(url).searchParams;
const placeOf = (request: Request) => ({ cursor: queryOf(request).get('cursor') });

/** Saves the dialog of a topic. A new topic comes first on the first page. */
function saveTopicForm({ request, context }: Args) {
  const topicId = queryOf(request).get('edit');
  return submit({ context }, TopicForm, async ({ key, ...input }) => {
    const actor = actorOf(context);
    if (topicId) await saveTopic(db(), actor, { ...input, topicId });
    const { id } = topicId ? { id: topicId } : await createTopicFromForm(db(), actor, { key, ...input });
    setFlash(context, 'success', `Topic ${topicId ? 'updated' : 'created'} successfully`);
    return redirect(backTo(topicId ? placeOf(request) : { cursor: null }, id));
  });
}

function savePause({ request, context }: Args, topicId: string) {
  return submit({ context }, TopicPause, async ({ until }) => {
    const actor = actorOf(context);
    const { id, name, pausedUntil } = await pauseTopic(db(), actor, { topicId, until });
    const { text } = nameDayOf(pausedUntil!, actor, new Date());
    setFlash(context, 'success', `“${name}” has no turns until ${text}, and then has them again by itself`);
    return redirect(backTo(placeOf(request), id));
  });
}

type VoiceSummaryProps = { voice: ReturnType<typeof presentVoice>; className: string };

const VoiceSummary = ({ voice: { text, isFilled, isInterviewOffered }, className }: VoiceSummaryProps) => (
  <div className={cx('grid gap-4', className)}>
    <section
      aria-labelledby="your-voice"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-line p-4"
    >
      <div className="min-w-0 flex-1 basis-60">
        <h2 id="your-voice" className="text-sm font-semibold">
          Your voice
        </h2>
        <p className="line-clamp-3 text-sm break-words text-ink-2" dir="auto">
          {text}
        </p>
      </div>
      <div className={cx('-me-3 flex flex-wrap gap-2', isFilled && '-ms-3')}>
        <ButtonLink to="/app/voice" size="sm" variant={isFilled ? 'ghost' : 'secondary'}>
          {isFilled ? 'Change voice' : 'Fill in your voice'}
        </ButtonLink>
        <ButtonLink to="/app/voice/facts" size="sm" variant="ghost">
          Facts
        </ButtonLink>
      </div>
    </section>
    {isInterviewOffered && <InterviewOffer from="/app/topics" />}
  </div>
);

const PER_PAGE = 60;

/** The URL of the list page that has the topic of an open dialog, for links from outside such as mails. */
async function findPageUrl(db: Db, actor: Actor, query: URLSearchParams): Promise<string | null> {
  const name = TOPIC_DIALOGS.find((each) => query.has(each));
  if (!name) return null;
  try {
    const { id, createdAt } = await findTopic(db, actor, query.get(name)!);
    return `/app/topics${withDialog({ cursor: cursorBefore({ at: createdAt, id }, 1) }, `${name}=${id}`)}`;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/**
 * The URL to refresh to, at the card of a topic that is being written about. `turn` changes each time, or browsers
 * would not load it again. Null if there is nothing to wait for.
 */
function refreshUrl(topics: TopicView[], listPage: ListPage, query: URLSearchParams): string | null {
  const writing = topics.find(({ run }) => run?.isOpen);
  if (!writing) return null;
  return `${withDialog(listPage, `turn=${query.get('turn') === '1' ? 2 : 1}`)}#topic-${writing.id}`;
}

async function loadTopics(actor: Actor, query: URLSearchParams, now = new Date()) {
  const cursor = query.get('cursor') || null;
  const [{ rows, nextCursor }, facts, voice, turns, waiting, runs] = await Promise.all([
    listTopics(db(), actor, { limit: PER_PAGE, cursor: cursor ?? undefined }),
    countFacts(db(), actor),
    findVoice(db(), actor.userId),
    findNextTurns(db(), actor, now),
    countWaitingByTopic(db(), actor),
    listTopicRuns(db(), actor, now),
  ]);
  const requested = TOPIC_DIALOGS.flatMap((name) => query.get(name) ?? []);
  if (requested.some((id) => !rows.some((row) => row.id === id))) {
    const page = await findPageUrl(db(), actor, query);
    if (page) throw redirect(page);
  }
  // The last topic of a later page was deleted.
  if (cursor && rows.length === 0) throw redirect(pageOf({ cursor: null }));
  const listPage = { cursor };
  const hasFree = turns.why === 'no_plan' && (await findFreePosts(db(), actor, now)).left > 0;
  const canWrite = turns.why !== 'no_plan' || hasFree;
  const context = { turns, waiting, facts, runs, canWrite };
  const topics = rows.map((row) => presentTopic(row, context, actor, now));
  return {
    topics,
    formKey: crypto.randomUUID(),
    noTurns: turns.why && { why: turns.why, hasFree },
    listPage,
    fresh: refreshUrl(topics, listPage, query),
    nextCursor,
    pause: pauseChoices(actor, now),
    voice: presentVoice(voice, facts),
  };
}
