import { Download, FilterX, History } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { db } from '#app/db/client.ts';
import { POST_LISTS, POST_WORDS } from '#app/domain/posts/limits.ts';
import { askerOf, shellOf } from '#app/http/session/session.ts';
import { saveForm } from '#app/routes/posts/editor/save.ts';
import { loadHistory } from '#app/routes/posts/load.ts';
import { StrayErrors } from '#app/routes/posts/post-parts.tsx';
import lineStyles from '#app/routes/posts/queue/rows.css?url';
import { WriteLink } from '#app/routes/posts/queue/write-link.tsx';
import { KeepFresh } from '#app/ui/auto-refresh.tsx';
import { Pager } from '#app/ui/components/pager.tsx';
import { TabLinks } from '#app/ui/components/tabs.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import { onDemand } from '#app/ui/lazy.tsx';
import { knowsDialogs } from '#app/ui/should-revalidate.ts';
import type { Route } from './+types/page.ts';
import { HistoryCard } from './card.tsx';
import { Totals } from './totals.tsx';

const PAGE = '/app/posts';

const PostDialogs = onDemand(async () => (await import('#app/routes/posts/dialogs.tsx')).PostDialogs);
const FILTERS = [
  { status: null, label: 'All' },
  ...POST_LISTS.map((status) => ({ status, label: POST_WORDS[status] })),
];

const listOf = (status: string | null) => (status ? `${PAGE}?status=${status}` : PAGE);

const tabsAt = (current: string | null) =>
  FILTERS.map(({ status, label }) => ({ to: listOf(status), label, isCurrent: status === current }));

export const meta: Route.MetaFunction = () => [
  { title: 'Post History – Tidepost' },
  {
    name: 'description',
    content: 'What was published, what failed and why, with a table of it to download.',
  },
];

export const shouldRevalidate = knowsDialogs('confirm-delete');

export async function loader({ request, context }: Route.LoaderArgs) {
  const { actor, now } = askerOf(context);
  const query = new URL(request.url).searchParams;
  if (query.has('confirm-delete')) await PostDialogs.load();
  return loadHistory(db(), actor, query, shellOf(context), now);
}

export const action = (args: Route.ActionArgs) => saveForm(args, PAGE);

export default function PostHistory({ loaderData, actionData }: Route.ComponentProps) {
  const { posts, hasPosts, totals, status, zone, isPlanned, search, hasTopics } = loaderData;
  const { fresh, next, isLater, isMoving } = loaderData;
  const closeTo = search ? `${PAGE}?${search}` : PAGE;
  const deletingId = useSearchParams()[0].get('confirm-delete');
  const deleting = [...posts, loaderData.deleting].find((post) => post?.id === deletingId);
  return (
    <>
      <link rel="stylesheet" href={lineStyles} precedence="view" />
      <PageHeader
        title="Post History"
        description={`Everything that was written for you, the latest first. ${zone}.`}
        actions={hasPosts && exportLink}
      />
      <StrayErrors posts={posts} />
      {totals.posts > 0 && <Totals totals={totals} />}
      {hasPosts && <TabLinks label="Filter by status" tabs={tabsAt(status)} />}
      {posts.length === 0 && (hasPosts ? <NoneOfThese /> : <NoneYet hasTopics={hasTopics} />)}
      {posts.length > 0 && (
        <ul className="lines">
          {posts.map((post) => (
            <HistoryCard
              key={post.id}
              post={post}
              isPlanned={isPlanned}
              search={search}
              closeTo={closeTo}
              result={actionData}
            />
          ))}
        </ul>
      )}
      <Pager
        next={next}
        first={isLater ? listOf(status) : null}
        nextLabel="Older posts"
        firstLabel="Back to the newest"
      />
      {deleting && <PostDialogs deleting={deleting} closeTo={closeTo} />}
      {isMoving && !actionData && !deleting && <KeepFresh to={fresh} />}
    </>
  );
}

const exportLink = (
  <a href={`${PAGE}.csv`} className="btn btn-secondary">
    <Download aria-hidden size={18} />
    Download as CSV
  </a>
);

const NoneOfThese = () => (
  <EmptyState
    icon={FilterX}
    title="No posts with this status"
    text="Choose another status, or look at all of them."
    action={
      <ButtonLink to={PAGE} variant="secondary">
        Show all posts
      </ButtonLink>
    }
  />
);

const NoneYet = ({ hasTopics }: { hasTopics: boolean }) => (
  <EmptyState
    icon={History}
    title="No posts yet"
    text="Every post that was written for you stays here, with what became of it on LinkedIn."
    action={<WriteLink hasTopics={hasTopics} />}
  />
);
