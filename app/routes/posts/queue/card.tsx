import { CalendarClock, CircleSlash, Send } from 'lucide-react';
import { Link } from 'react-router';
import { Editor } from '#app/routes/posts/editor/editor.lazy.ts';
import { Outcome } from '#app/routes/posts/history/outcome.tsx';
import { PublishTime } from '#app/routes/posts/history/publish-time.tsx';
import { Timeline } from '#app/routes/posts/history/timeline.tsx';
import type { ListedPost } from '#app/routes/posts/load.ts';
import { ApproveButton, PostButton } from '#app/routes/posts/post-button.tsx';
import {
  AgainLink,
  aboutPost,
  DeleteLink,
  EditLink,
  MoveLink,
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

/** The whole of a post of the queue: when it goes out, how LinkedIn shows it, what can be done about it. */
export function QueueCard({ post, author, result, ...page }: QueueCardProps) {
  const isEditing = post.open === 'edit';
  const place = { post, ...page };
  return (
    <div className="line-card">
      <Outcome {...place} result={useResultAt(post.id, result)} />
      {post.hold && <HoldBanner hold={post.hold} />}
      {isEditing && post.isWaiting && <PublishTime post={post} />}
      {isEditing ? <Editor {...place} result={result} /> : <CardBody {...place} author={author} />}
    </div>
  );
}

/** When it went out, or goes out as things stand. */
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
        text={post.shown}
        when={whenOf(post)}
        imageUrl={imageUrl}
        altText={altText}
        isOpen={post.status === 'pending'}
      />
      <div className="flex min-w-0 flex-col items-start gap-3">
        {isWaiting && <PublishTime post={post} />}
        <PostTopic {...post} />
        <p className="text-sm text-ink-3">
          Created {post.createdOn} · {post.words}
        </p>
        <TextWarnings notes={post.specific} />
        {post.byMail && <p className="text-sm text-ink-3">{post.byMail}</p>}
        <Timeline attempts={post.attempts} />
        {isWaiting && <Buttons post={post} search={search} closeTo={closeTo} />}
      </div>
    </div>
  );
}

/** It is on its way out: to send it again would be no different. */
export const isSent = ({ isNext, putOff }: ListedPost) => isNext || putOff !== null;

function Buttons({ post, search, closeTo }: { post: ListedPost; search: string; closeTo: string }) {
  const publish = usePublishAddress(search, post);
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {post.status === 'pending' && <ApproveButton post={post} closeTo={closeTo} />}
      {post.canGoBack && <BackButton post={post} closeTo={closeTo} />}
      {!isSent(post) && (
        <Link to={publish} preventScrollReset className="btn btn-sm btn-secondary">
          <Send aria-hidden size={16} />
          Publish now
          <span className="sr-only"> {aboutPost(post)}</span>
        </Link>
      )}
      {post.canEdit && <EditLink post={post} search={search} />}
      {post.canEdit && <AgainLink post={post} />}
      <MoveLink post={post} search={search} />
      <SwapLink post={post} search={search} />
      {post.canMove && <SkipButton post={post} closeTo={closeTo} />}
      <DeleteLink post={post} search={search} />
    </div>
  );
}

type ButtonProps = { post: ListedPost; closeTo: string };

const BackButton = (place: ButtonProps) => (
  <PostButton
    {...place}
    verb="back"
    failure="Failed to update post"
    icon={CalendarClock}
    label={place.post.needsApproval ? 'Back to waiting for approval' : 'Back to its time'}
    busyLabel="One moment…"
  />
);

/** Sets it aside, with the way back in a notice. */
const SkipButton = (place: ButtonProps) => (
  <PostButton
    {...place}
    verb="skip"
    failure="Failed to skip post"
    variant="ghost"
    icon={CircleSlash}
    label="Skip"
    busyLabel="Skipping…"
  />
);
