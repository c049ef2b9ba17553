import { Download, FilterX, History } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { db } from '#app/db/client.ts';
import type { getTotals } from '#app/domain/posts/counts/stats.ts';
import { ENGAGEMENTS, POST_LISTS, POST_WORDS } from '#app/domain/posts/limits.ts';
import { actorAndTime, shellOf } from '#app/http/session/session.ts';
import { Editor } from '#app/routes/posts/editor/editor.lazy.ts';
import { saveForm } from '#app/routes/posts/editor/save.ts';
import { loadHistory } from '#app/routes/posts/load.ts';
import { ApproveButton } from '#app/routes/posts/post-button.tsx';
import {
  DeleteLink,
  EditLink,
  type ListedPostProps,
  RewriteLink,
  StrayErrors,
  useResultAt,
} from '#app/routes/posts/post-parts.tsx';
import { HoldBanner } from '#app/routes/posts/queue/hold-banner.tsx';
import lineStyles from '#app/routes/posts/queue/rows.css?url';
import { WriteLink } from '#app/routes/posts/queue/write-link.tsx';
import { AutoRefresh } from '#app/ui/auto-refresh.tsx';
import { StatusBadge } from '#app/ui/components/badge.tsx';
import { Pager } from '#app/ui/components/pager.tsx';
import { TabLinks } from '#app/ui/components/tabs.tsx';
import { cx } from '#app/ui/cx.ts';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import { onDemand } from '#app/ui/lazy.tsx';
import { CardErrors } from '#app/ui/messages/inline-notices.tsx';
import { PostTopic } from '#app/ui/post/post-card.tsx';
import { PostSummary } from '#app/ui/post/post-summary.tsx';
import { ignoreDialogParams } from '#app/ui/should-revalidate.ts';
import type { Route } from './+types/page.ts';
import { Numbers, NumbersLink } from './engagement-form.tsx';
import { RetryButton } from './fix-button.tsx';
import { Outcome, ViewLink } from './outcome.tsx';
import { PublishTime } from './publish-time.tsx';
import { Timeline } from './timeline.tsx';

const PAGE = '/app/posts';

const PostDialogs = onDemand(async () => (await import('#app/routes/posts/dialogs.tsx')).PostDialogs);
const FILTERS = [
  { status: null, label: 'All' },
  ...POST_LISTS.map((status) => ({ status, label: POST_WORDS[status] })),
];

const listOf = (status: string | null) => (status ? `${PAGE}?status=${status}` : PAGE);

const tabsAt = (current: string | null) =>
  FILTERS.map(({ status, label }) => ({ to: listOf(status), label, isCurrent: status === current }));

export const meta: Route.MetaFunction = () =>
  pageMeta('Post History', 'What was published, what failed and why, with a table of it to download.');

export const shouldRevalidate = ignoreDialogParams('confirm-delete');

export async function loader({ request, context }: Route.LoaderArgs) {
  const { actor, now } = actorAndTime(context);
  const query = new URL(request.url).searchParams;
  if (query.has('confirm-delete')) await PostDialogs.load();
  return loadHistory(db(), actor, query, shellOf(context), now);
}

export const action = (args: Route.ActionArgs) => saveForm(args, PAGE);

export default function PostHistory({ loaderData, actionData }: Route.ComponentProps) {
  const { posts, hasPosts, totals, status, zone, isPlanned, search, hasTopics } = loaderData;
  const { fresh, next, isLater, isMoving } = loaderData;
  const closeTo = search ? `${PAGE}?${search}` : PAGE;
  const list = { isPlanned, search, closeTo, result: actionData };
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
            <HistoryCard key={post.id} post={post} {...list} />
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
      {isMoving && !actionData && !deleting && <AutoRefresh to={fresh} />}
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

const VISIBLE_TAGS = 3;

function HistoryCard({ post, isPlanned, search, closeTo, result }: ListedPostProps) {
  const isEditing = post.open === 'edit';
  const page = { isPlanned, search, closeTo, result: useResultAt(post.id, result) };
  return (
    <li id={`post-${post.id}`} tabIndex={-1} className={cx('line entry', isEditing && 'flex flex-col')}>
      <div className="entry-head flex flex-wrap content-start items-start gap-x-2 gap-y-1 text-sm text-ink-3">
        <StatusBadge status={post.badge} />
        <span>{post.dated}</span>
        <PostTopic {...post} />
      </div>
      <div className="grid min-w-0 content-start gap-2">
        <CardErrors id={`post-${post.id}`} />
        {post.isWaiting && <PublishTime post={post} />}
        <Outcome post={post} {...page} />
        {post.hold && <HoldBanner hold={post.hold} />}
        {isEditing ? (
          <Editor post={post} search={search} closeTo={closeTo} result={result} />
        ) : (
          <PostSummary {...post} text={post.content} visibleTags={VISIBLE_TAGS} />
        )}
        {post.status === 'published' && <Numbers post={post} {...page} />}
        {post.byMail && <p className="text-sm text-ink-3">{post.byMail}</p>}
        <Timeline attempts={post.attempts} />
      </div>
      {!isEditing && post.status !== 'publishing' && <Links post={post} search={search} closeTo={closeTo} />}
    </li>
  );
}

function Links({ post, search, closeTo }: Omit<ListedPostProps, 'result' | 'isPlanned'>) {
  const fix = post.failure?.cure.name;
  // "Retry" would repeat the fix button, or needs LinkedIn connected first.
  const hasRetry = fix === 'retry' || fix === 'publish' || fix === 'connect';
  return (
    <div className="entry-acts flex flex-wrap items-start">
      {post.status === 'published' && post.dismissed === null && <ViewLink post={post} variant="ghost" />}
      {post.status === 'published' && !post.isTest && post.open !== 'numbers' && (
        <NumbersLink post={post} search={search} />
      )}
      {post.status === 'pending' && <ApproveButton post={post} closeTo={closeTo} />}
      {post.canEdit && fix !== 'edit' && <EditLink post={post} search={search} />}
      {post.canEdit && <RewriteLink post={post} />}
      {post.canRetry && !hasRetry && <RetryButton post={post} closeTo={closeTo} variant="ghost" />}
      <DeleteLink post={post} search={search} />
    </div>
  );
}

const COMPACT_FROM = 10_000_000;
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** "12,345"; "12.3M" from ten million on. */
const formatCount = (count: number | null) =>
  count === null ? null : count < COMPACT_FROM ? count.toLocaleString('en') : compact.format(count);

const TYPED_COUNTS = ENGAGEMENTS.filter((name) => name !== 'impressions');

/** Totals of the whole history. Engagement numbers are the ones that the user typed in, if any. */
function Totals({ totals }: { totals: Awaited<ReturnType<typeof getTotals>> }) {
  const hasTyped = TYPED_COUNTS.some((name) => totals[name] !== null);
  return (
    <section aria-label="Totals" className="totals">
      <Total count={totals.posts} name="posts" />
      {hasTyped && TYPED_COUNTS.map((name) => <Total key={name} count={totals[name]} name={name} />)}
      <p className="text-sm text-ink-3">
        {hasTyped
          ? 'Likes, comments and shares as typed in by you.'
          : 'Likes, comments and shares are not available: LinkedIn does not let an ordinary app read them. You can type in what you read there.'}
      </p>
    </section>
  );
}

const Total = ({ count, name }: { count: number | null; name: string }) => (
  <p>
    <span className="font-display text-2xl font-semibold tabular-nums">{formatCount(count) ?? '–'}</span>{' '}
    <span className="text-sm text-ink-2">{count === 1 ? name.slice(0, -1) : name}</span>
  </p>
);
