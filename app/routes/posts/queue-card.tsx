import type { SubmissionResult } from '@conform-to/react';
import { Check, Send } from 'lucide-react';
import { Link } from 'react-router';
import { ActionForm } from '#app/ui/action-form.tsx';
import { SubmitButton } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { PostText } from '#app/ui/post-card.tsx';
import { PostImage } from '#app/ui/post-image.tsx';
import { Time } from '#app/ui/time.tsx';
import { postAddress } from '../verbs.ts';
import { EditForm } from './edit-form.tsx';
import { HoldBanner } from './hold-banner.tsx';
import type { QueuedPost } from './load.ts';
import { Outcome } from './post-outcome.tsx';
import { aboutPost, DeleteLink, EditLink, PostHead, useResultAt, withParameter } from './post-parts.tsx';
import { Timeline } from './post-timeline.tsx';

type QueueCardProps = {
  post: QueuedPost;
  search: string;
  closeTo: string;
  result?: SubmissionResult<string[]>;
};

/** One post of the queue: when it goes out, what it says, what can be done about it. */
export function QueueCard({ post, search, closeTo, result }: QueueCardProps) {
  const isEditing = post.open === 'edit';
  const isWaiting = post.status === 'generated' || post.status === 'pending';
  const page = { search, closeTo, result: useResultAt(post.id, result) };
  return (
    <Card as="li" id={`post-${post.id}`} className="flex flex-col gap-3">
      <PostHead post={post}>Created {post.createdOn}</PostHead>
      {isWaiting && <PublishTime post={post} />}
      <Outcome post={post} {...page} />
      {post.hold && <HoldBanner hold={post.hold} />}
      {isEditing ? (
        <EditForm post={post} closeTo={closeTo} result={result} />
      ) : (
        <>
          {post.imageUrl && <PostImage src={post.imageUrl} alt={post.altText} />}
          <div className="max-w-prose">
            <PostText text={post.content} hashtags={post.hashtags} />
          </div>
        </>
      )}
      <Timeline attempts={post.attempts} />
      {isWaiting && !isEditing && <Buttons post={post} search={search} closeTo={closeTo} />}
    </Card>
  );
}

function PublishTime({ post }: { post: QueuedPost }) {
  if (post.isNext) return <p className="font-medium">Goes out as soon as publishing goes on.</p>;
  if (!post.publishAt) return <p className="font-medium text-ink-2">No slot yet: publish it by hand.</p>;
  const { iso, text } = post.publishAt;
  return (
    <p className="font-medium">
      {post.hold ? 'Was due at' : 'Publishes at'} <Time iso={iso} text={text} className="tabular-nums" />
    </p>
  );
}

function Buttons({ post, search, closeTo }: { post: QueuedPost; search: string; closeTo: string }) {
  const about = aboutPost(post);
  return (
    <div className="flex flex-wrap items-center gap-1">
      {post.status === 'pending' && (
        <ActionForm action={postAddress(post.id, 'approve')} fields={{ from: closeTo }} preventScrollReset>
          <SubmitButton size="sm" busyLabel="Approving…">
            <Check aria-hidden size={16} />
            Approve
            <span className="sr-only"> {about}</span>
          </SubmitButton>
        </ActionForm>
      )}
      <Link
        to={withParameter(search, 'confirm-publish', post.id)}
        preventScrollReset
        className="btn btn-sm btn-secondary"
      >
        <Send aria-hidden size={16} />
        Publish now
        <span className="sr-only"> {about}</span>
      </Link>
      {post.canEdit && <EditLink post={post} search={search} />}
      <DeleteLink post={post} search={search} />
    </div>
  );
}
