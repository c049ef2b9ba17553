import type { SubmissionResult } from '@conform-to/react';
import { Card } from '#app/ui/card.tsx';
import { cx } from '#app/ui/class-names.ts';
import { PostText } from '#app/ui/post-card.tsx';
import { PostImage } from '#app/ui/post-image.tsx';
import { CardErrors } from '#app/ui/standing-errors.tsx';
import { RetryButton } from './cure-button.tsx';
import { Editor } from './editor.ts';
import { HoldBanner } from './hold-banner.tsx';
import type { ListedPost } from './load.ts';
import { Numbers, NumbersLink } from './numbers.tsx';
import { Outcome, View } from './post-outcome.tsx';
import { DeleteLink, EditLink, PostHead, useResultAt } from './post-parts.tsx';
import { Timeline } from './post-timeline.tsx';
import { PublishTime } from './publish-time.tsx';

type HistoryCardProps = {
  post: ListedPost;
  isPlanned: boolean;
  search: string;
  closeTo: string;
  result?: SubmissionResult<string[]>;
};

const TAGS_SHOWN = 3;

/** One post of the history: what it said, what became of it, where it is. */
export function HistoryCard({ post, isPlanned, search, closeTo, result }: HistoryCardProps) {
  const isEditing = post.open === 'edit';
  const { isWaiting } = post;
  const page = { isPlanned, search, closeTo, result: useResultAt(post.id, result) };
  return (
    <Card as="li" id={`post-${post.id}`} className={cx('flex flex-col gap-3', isEditing && 'xl:col-span-2')}>
      <PostHead post={post}>{post.dated}</PostHead>
      <CardErrors id={`post-${post.id}`} />
      {isWaiting && <PublishTime post={post} />}
      <Outcome post={post} {...page} />
      {post.hold && <HoldBanner hold={post.hold} />}
      {isEditing ? (
        <Editor post={post} search={search} closeTo={closeTo} result={result} />
      ) : (
        <>
          {post.imageUrl && <PostImage src={post.imageUrl} alt={post.altText} />}
          <PostText text={post.content} hashtags={post.hashtags} visibleTags={TAGS_SHOWN} />
        </>
      )}
      {post.status === 'published' && (
        <Numbers post={post} search={search} closeTo={closeTo} result={page.result} />
      )}
      {post.byMail && <p className="text-sm text-ink-3">{post.byMail}</p>}
      <Timeline attempts={post.attempts} />
      {!isEditing && post.status !== 'publishing' && <Links post={post} search={search} closeTo={closeTo} />}
    </Card>
  );
}

function Links({ post, search, closeTo }: Omit<HistoryCardProps, 'result' | 'isPlanned'>) {
  const cure = post.failure?.cure.name;
  // Trying again helps neither beside a button that does so nor before LinkedIn is connected.
  const isRetried = cure === 'retry' || cure === 'publish' || cure === 'connect';
  return (
    <div className="-ms-3 -mb-1 flex flex-wrap items-center gap-1">
      {post.status === 'published' && post.dismissed === null && <View post={post} variant="ghost" />}
      {post.status === 'published' && !post.isTest && post.open !== 'numbers' && (
        <NumbersLink post={post} search={search} />
      )}
      {post.canEdit && cure !== 'edit' && <EditLink post={post} search={search} />}
      {post.canRetry && !isRetried && <RetryButton post={post} closeTo={closeTo} variant="ghost" />}
      <DeleteLink post={post} search={search} />
    </div>
  );
}
