import { CalendarClock, CircleSlash, Send } from 'lucide-react';
import { Link } from 'react-router';
import { Editor } from '#app/routes/posts/editor/editor.lazy.ts';
import { Outcome } from '#app/routes/posts/history/outcome.tsx';
import { PublishTime } from '#app/routes/posts/history/publish-time.tsx';
import { Timeline } from '#app/routes/posts/history/timeline.tsx';
import type { ListedPost } from '#app/routes/posts/load.ts';
import { ApproveButton, PostButton } from '#app/routes/posts/post-button.tsx';
import {
  aboutPost,
  DeleteLink,
  EditLink,
  MoveLink,
  RewriteLink,
  SwapLink,
  usePublishAddress,
  useResultAt,
} from '#app/routes/posts/post-parts.tsx';
import { PostTopic } from '#app/ui/post/post-card.tsx';
import { PostPreview } from '#app/ui/post/post-preview.tsx';
import { TextWarnings } from '#app/ui/post/warnings.tsx';
import type { QueuePage } from './day.tsx';
import { HoldBanner } from './hold-banner.tsx';
import type { QueuedPost } from './present.ts';

type QueueCardProps = QueuePage & { post: QueuedPost };

export function QueueCard({ post, author, result, ...page }: QueueCardProps) {
  const isEditing = post.open === 'edit';
  const shared = { post, ...page };
  return (
    <div className="line-card">
      <Outcome {...shared} result={useResultAt(post.id, result)} />
      {post.hold && <HoldBanner hold={post.hold} />}
      {isEditing && post.isWaiting && <PublishTime post={post} />}
      {isEditing ? <Editor {...shared} result={result} /> : <CardBody {...shared} author={author} />}
    </div>
  );
}

/** When it was published, or will be as far as is known. */
function whenOf({ status, posted, putOff, publishAt }: QueuedPost): string {
  if (posted) return posted.text;
  return (status !== 'publishing' && (putOff?.at ?? publishAt?.text)) || 'Now';
}

function CardBody({ post, author, search, closeTo }: Omit<QueueCardProps, 'result'>) {
  const { imageUrl, altText, isWaiting } = post;
  return (
    <div className="line-shown">
      <PostPreview
        author={author}
        text={post.preview}
        when={whenOf(post)}
        imageUrl={imageUrl}
        altText={altText}
        isOpen={post.status === 'pending'}
      />
      <div className="flex min-w-0 flex-col items-start gap-3">
        {isWaiting && <PublishTime post={post} />}
        <PostTopic {...post} />
        <p className="text-sm text-ink-3">
          Created {post.createdOn} · {post.wordCount}
        </p>
        <TextWarnings notes={post.specific} />
        {post.byMail && <p className="text-sm text-ink-3">{post.byMail}</p>}
        <Timeline attempts={post.attempts} />
        {isWaiting && <Buttons post={post} search={search} closeTo={closeTo} />}
      </div>
    </div>
  );
}

/** Publishing was requested already, so there is no button for it. */
export const isPublishRequested = ({ isNext, putOff }: ListedPost) => isNext || putOff !== null;

function Buttons({ post, search, closeTo }: { post: ListedPost; search: string; closeTo: string }) {
  const publish = usePublishAddress(search, post);
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {post.status === 'pending' && <ApproveButton post={post} closeTo={closeTo} />}
      {post.canGoBack && <BackButton post={post} closeTo={closeTo} />}
      {!isPublishRequested(post) && (
        <Link to={publish} preventScrollReset className="btn btn-sm btn-secondary">
          <Send aria-hidden size={16} />
          Publish now
          <span className="sr-only"> {aboutPost(post)}</span>
        </Link>
      )}
      {post.canEdit && <EditLink post={post} search={search} />}
      {post.canEdit && <RewriteLink post={post} />}
      <MoveLink post={post} search={search} />
      <SwapLink post={post} search={search} />
      {post.canMove && <SkipButton post={post} closeTo={closeTo} />}
      <DeleteLink post={post} search={search} />
    </div>
  );
}

type ButtonProps = { post: ListedPost; closeTo: string };

const BackButton = (props: ButtonProps) => (
  <PostButton
    {...props}
    verb="back"
    failure="Failed to update post"
    icon={CalendarClock}
    label={props.post.needsApproval ? 'Back to waiting for approval' : 'Back to its time'}
    busyLabel="One moment…"
  />
);

const SkipButton = (props: ButtonProps) => (
  <PostButton
    {...props}
    verb="skip"
    failure="Failed to skip post"
    variant="ghost"
    icon={CircleSlash}
    label="Skip"
    busyLabel="Skipping…"
  />
);
