import type { SubmissionResult } from '@conform-to/react';
import { CalendarClock, Check, Send } from 'lucide-react';
import { Link } from 'react-router';
import { ActionForm } from '#app/ui/action-form.tsx';
import { SubmitButton } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { PostText } from '#app/ui/post-card.tsx';
import { PostImage } from '#app/ui/post-image.tsx';
import { CardErrors } from '#app/ui/standing-errors.tsx';
import { postAddress } from '../verbs.ts';
import { useFrom } from './cure-button.tsx';
import { Editor } from './editor.ts';
import { HoldBanner } from './hold-banner.tsx';
import type { ListedPost } from './load.ts';
import { Outcome } from './post-outcome.tsx';
import {
  aboutPost,
  DeleteLink,
  EditLink,
  MoveLink,
  PostHead,
  SwapLink,
  useAddressAt,
  useResultAt,
} from './post-parts.tsx';
import { Timeline } from './post-timeline.tsx';
import { PublishTime } from './publish-time.tsx';

type QueueCardProps = {
  post: ListedPost;
  isPlanned: boolean;
  search: string;
  closeTo: string;
  result?: SubmissionResult<string[]>;
};

/** One post of the queue: when it goes out, what it says, what can be done about it. */
export function QueueCard({ post, isPlanned, search, closeTo, result }: QueueCardProps) {
  const isEditing = post.open === 'edit';
  const { isWaiting } = post;
  const page = { isPlanned, search, closeTo, result: useResultAt(post.id, result) };
  return (
    <Card as="li" id={`post-${post.id}`} className="flex flex-col gap-3">
      <PostHead post={post}>Created {post.createdOn}</PostHead>
      <CardErrors id={`post-${post.id}`} />
      {isWaiting && <PublishTime post={post} />}
      <Outcome post={post} {...page} />
      {post.hold && <HoldBanner hold={post.hold} />}
      {isEditing ? (
        <Editor post={post} search={search} closeTo={closeTo} result={result} />
      ) : (
        <>
          {post.imageUrl && <PostImage src={post.imageUrl} alt={post.altText} />}
          <div className="max-w-prose">
            <PostText text={post.content} hashtags={post.hashtags} />
          </div>
        </>
      )}
      {post.byMail && <p className="text-sm text-ink-3">{post.byMail}</p>}
      <Timeline attempts={post.attempts} />
      {isWaiting && !isEditing && <Buttons post={post} search={search} closeTo={closeTo} />}
    </Card>
  );
}

function Buttons({ post, search, closeTo }: { post: ListedPost; search: string; closeTo: string }) {
  const isSent = post.isNext || post.putOff !== null;
  const publish = useAddressAt(search, 'confirm-publish', post);
  return (
    <div className="flex flex-wrap items-center gap-1">
      {post.status === 'pending' && <ApproveButton post={post} closeTo={closeTo} />}
      {post.canGoBack && <BackButton post={post} closeTo={closeTo} />}
      {!isSent && (
        <Link to={publish} preventScrollReset className="btn btn-sm btn-secondary">
          <Send aria-hidden size={16} />
          Publish now
          <span className="sr-only"> {aboutPost(post)}</span>
        </Link>
      )}
      {post.canEdit && <EditLink post={post} search={search} />}
      <MoveLink post={post} search={search} />
      <SwapLink post={post} search={search} />
      <DeleteLink post={post} search={search} />
    </div>
  );
}

type ButtonProps = { post: ListedPost; closeTo: string };

const ApproveButton = ({ post, closeTo }: ButtonProps) => (
  <ActionForm
    action={postAddress(post.id, 'approve')}
    failure="Failed to approve post"
    fields={{ from: useFrom(closeTo, post) }}
    preventScrollReset
  >
    <SubmitButton size="sm" busyLabel="Approving…">
      <Check aria-hidden size={16} />
      Approve
      <span className="sr-only"> {aboutPost(post)}</span>
    </SubmitButton>
  </ActionForm>
);

const BackButton = ({ post, closeTo }: ButtonProps) => (
  <ActionForm
    action={postAddress(post.id, 'back')}
    failure="Failed to update post"
    fields={{ from: useFrom(closeTo, post) }}
    preventScrollReset
  >
    <SubmitButton size="sm" variant="secondary" busyLabel="One moment…">
      <CalendarClock aria-hidden size={16} />
      {post.needsApproval ? 'Back to waiting for approval' : 'Back to its time'}
      <span className="sr-only"> {aboutPost(post)}</span>
    </SubmitButton>
  </ActionForm>
);
