import { Check, ExternalLink, RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ListedPost } from '#app/routes/posts/load.ts';
import { PostActionForm } from '#app/routes/posts/post-button.tsx';
import { aboutPost, type ListedPostProps, useAddressAt } from '#app/routes/posts/post-parts.tsx';
import { SubmitButton } from '#app/ui/form/button.tsx';
import { FormPanel, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { RESULT_MESSAGE } from '#app/ui/layout/focus.ts';
import { Banner } from '#app/ui/layout/page.tsx';
import { Time } from '#app/ui/time.tsx';
import { FixButton, ScheduleButton } from './fix-button.tsx';
import { PutOff } from './publish-time.tsx';

/**
 * The result of publishing a post: in progress, delayed by LinkedIn, published, or failed with a fix. Announced
 * politely to screen readers when it changes.
 */
export function Outcome(props: ListedPostProps) {
  const { post } = props;
  const title = titleOf(post);
  if (!title) return null;
  const { failure, isUnconfirmed, notAgain, status } = post;
  return (
    <Banner
      tone={toneOf(post)}
      title={
        <span role="status" {...RESULT_MESSAGE} className="block">
          {title}
        </span>
      }
      action={status !== 'publishing' && !isWaiting(post) && <Actions {...props} />}
    >
      {status === 'publishing' && 'LinkedIn is being given this post. It cannot be changed meanwhile.'}
      {isWaiting(post) && <PutOff {...props} />}
      {failure && (isUnconfirmed ? <Unconfirmed {...props} /> : `${failure.isOnLinkedIn} ${notAgain ?? ''}`)}
    </Banner>
  );
}

function Actions({ post, search, closeTo }: ListedPostProps) {
  const { badge, failure, isUnconfirmed, status } = post;
  const isFixing = post.open === 'edit' && failure?.cure.name === 'edit';
  return (
    <span className="flex flex-wrap items-center gap-2">
      {failure && !isUnconfirmed && !isFixing && (
        <FixButton post={post} cure={failure.cure} search={search} closeTo={closeTo} />
      )}
      {badge === 'set_aside' && <ScheduleButton post={post} closeTo={closeTo} />}
      {status === 'published' && <ViewLink post={post} variant="secondary" />}
      <Dismiss post={post} />
    </span>
  );
}

/** LinkedIn has delayed it, and nothing else holds it. */
const isWaiting = ({ putOff, isNext, hold }: ListedPost) => putOff !== null && !isNext && hold === null;

function toneOf({ badge, failure, isUnconfirmed }: ListedPost) {
  if (isUnconfirmed && failure) return 'warning';
  if (badge === 'published') return 'success';
  return badge === 'failed' ? 'danger' : 'info';
}

/** The title that is announced. A published post has one only while it is watched. */
function titleOf(post: ListedPost): ReactNode {
  const { status, failure, posted, dismissed } = post;
  if (isWaiting(post)) return post.putOff?.why;
  if (status === 'publishing') return 'Publishing…';
  if (failure) return failure.reason;
  if (status !== 'published' || !posted || dismissed === null) return null;
  return (
    <>
      Published <Time {...posted} className="tabular-nums" />
    </>
  );
}

export const hasOutcome = (post: ListedPost) => Boolean(titleOf(post));

/** Links to the post on LinkedIn, or to its author's posts if its URL isn't known. */
export const ViewLink = ({ post, variant }: { post: ListedPost; variant: 'secondary' | 'ghost' }) => (
  <a
    href={post.url ?? post.profileUrl}
    target="_blank"
    rel="noreferrer"
    className={`btn btn-sm btn-${variant}`}
  >
    <ExternalLink aria-hidden size={16} />
    {post.url ? 'View on LinkedIn' : 'Look at your profile'}
    <span className="sr-only"> (opens in a new tab) {aboutPost(post)}</span>
  </a>
);

const Dismiss = ({ post }: { post: ListedPost }) =>
  post.dismissed !== null && (
    <Link to={post.dismissed} preventScrollReset className="btn btn-sm btn-ghost">
      Dismiss<span className="sr-only"> {aboutPost(post)}</span>
    </Link>
  );

type UnconfirmedProps = Omit<ListedPostProps, 'isPlanned'>;

/** LinkedIn may or may not have the post: the user looks and decides. */
const Unconfirmed = ({ post, search, closeTo, result }: UnconfirmedProps) => (
  <>
    <p>
      {post.failure?.isOnLinkedIn} We do not send it again unless you say so.{' '}
      <a href={post.profileUrl} target="_blank" rel="noreferrer" className="link">
        Look at your profile<span className="sr-only"> (opens in a new tab)</span>
      </a>
    </p>
    <div className="mt-3 flex flex-wrap items-end gap-3">
      <ConfirmPublished post={post} search={search} result={result} />
      <PostAgain post={post} closeTo={closeTo} />
    </div>
  </>
);

function ConfirmPublished({ post, search, result }: Omit<UnconfirmedProps, 'closeTo'>) {
  const [form, fields] = useFormOf<{ link: string }>(result, { id: `there-${post.id}` });
  return (
    <FormPanel
      form={form}
      failure="Failed to update post"
      action={useAddressAt(search, 'acknowledge', post)}
      preventScrollReset
      className="contents"
    >
      <TextField
        field={fields.link}
        label="Link to the post (optional)"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        className="w-full"
      />
      <SubmitButton busyLabel="Saving…">
        <Check aria-hidden size={18} />
        It is there
        <span className="sr-only"> {aboutPost(post)}</span>
      </SubmitButton>
    </FormPanel>
  );
}

const PostAgain = ({ post, closeTo }: Pick<UnconfirmedProps, 'post' | 'closeTo'>) => (
  <PostActionForm post={post} closeTo={closeTo} verb="again" failure="Failed to publish post" isOnce>
    <SubmitButton variant="secondary" busyLabel="Posting…">
      <RotateCcw aria-hidden size={18} />
      Post it again
      <span className="sr-only"> {aboutPost(post)}</span>
    </SubmitButton>
  </PostActionForm>
);
