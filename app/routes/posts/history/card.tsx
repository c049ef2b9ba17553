import type { SubmissionResult } from '@conform-to/react';
import { Editor } from '#app/routes/posts/editor/editor.lazy.ts';
import type { ListedPost } from '#app/routes/posts/load.ts';
import { ApproveButton } from '#app/routes/posts/post-button.tsx';
import { AgainLink, DeleteLink, EditLink, useResultAt } from '#app/routes/posts/post-parts.tsx';
import { HoldBanner } from '#app/routes/posts/queue/hold-banner.tsx';
import { StatusBadge } from '#app/ui/components/badge.tsx';
import { cx } from '#app/ui/cx.ts';
import { CardErrors } from '#app/ui/messages/inline-notices.tsx';
import { PostTopic } from '#app/ui/post/post-card.tsx';
import { BriefPost } from '#app/ui/post/post-summary.tsx';
import { Numbers, NumbersLink } from './engagement-form.tsx';
import { RetryButton } from './fix-button.tsx';
import { Outcome, View } from './outcome.tsx';
import { PublishTime } from './publish-time.tsx';
import { Timeline } from './timeline.tsx';

type HistoryCardProps = {
  post: ListedPost;
  isPlanned: boolean;
  search: string;
  closeTo: string;
  result?: SubmissionResult<string[]>;
};

const TAGS_SHOWN = 3;

/** One post of the history: how it stands, what it said, what became of it, and what can be done about it. */
export function HistoryCard({ post, isPlanned, search, closeTo, result }: HistoryCardProps) {
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
          <BriefPost {...post} text={post.content} visibleTags={TAGS_SHOWN} />
        )}
        {post.status === 'published' && <Numbers post={post} {...page} />}
        {post.byMail && <p className="text-sm text-ink-3">{post.byMail}</p>}
        <Timeline attempts={post.attempts} />
      </div>
      {!isEditing && post.status !== 'publishing' && <Links post={post} search={search} closeTo={closeTo} />}
    </li>
  );
}

function Links({ post, search, closeTo }: Omit<HistoryCardProps, 'result' | 'isPlanned'>) {
  const cure = post.failure?.cure.name;
  // Trying again helps neither beside a button that does so nor before LinkedIn is connected.
  const isRetried = cure === 'retry' || cure === 'publish' || cure === 'connect';
  return (
    <div className="entry-acts flex flex-wrap items-start">
      {post.status === 'published' && post.dismissed === null && <View post={post} variant="ghost" />}
      {post.status === 'published' && !post.isTest && post.open !== 'numbers' && (
        <NumbersLink post={post} search={search} />
      )}
      {post.status === 'pending' && <ApproveButton post={post} closeTo={closeTo} />}
      {post.canEdit && cure !== 'edit' && <EditLink post={post} search={search} />}
      {post.canEdit && <AgainLink post={post} />}
      {post.canRetry && !isRetried && <RetryButton post={post} closeTo={closeTo} variant="ghost" />}
      <DeleteLink post={post} search={search} />
    </div>
  );
}
