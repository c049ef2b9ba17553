import type { SubmissionResult } from '@conform-to/react';
import { Check, ExternalLink, RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ListedPost } from '#app/routes/posts/load.ts';
import { PostAct } from '#app/routes/posts/post-button.tsx';
import { aboutPost, useAddressAt } from '#app/routes/posts/post-parts.tsx';
import { SubmitButton } from '#app/ui/form/button.tsx';
import { FormPanel, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { RESULT_MESSAGE } from '#app/ui/layout/focus.ts';
import { Banner } from '#app/ui/layout/page.tsx';
import { Time } from '#app/ui/time.tsx';
import { CureButton, ScheduleButton } from './fix-button.tsx';
import { PutOff } from './publish-time.tsx';

type OutcomeProps = {
  post: ListedPost;
  isPlanned: boolean;
  search: string;
  closeTo: string;
  result?: SubmissionResult<string[]>;
};

/**
 * What became of a post that was sent, in its place: being published, put off, published, or why it was not and
 * what mends it. It says so politely when that changes.
 */
export function Outcome(props: OutcomeProps) {
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

function Actions({ post, search, closeTo }: OutcomeProps) {
  const { badge, failure, isUnconfirmed, status } = post;
  const isBeingMended = post.open === 'edit' && failure?.cure.name === 'edit';
  return (
    <span className="flex flex-wrap items-center gap-2">
      {failure && !isUnconfirmed && !isBeingMended && (
        <CureButton post={post} cure={failure.cure} search={search} closeTo={closeTo} />
      )}
      {badge === 'set_aside' && <ScheduleButton post={post} closeTo={closeTo} />}
      {status === 'published' && <View post={post} variant="secondary" />}
      <Dismiss post={post} />
    </span>
  );
}

/** LinkedIn has put it off, and nothing else keeps it. */
const isWaiting = ({ putOff, isNext, hold }: ListedPost) => putOff !== null && !isNext && hold === null;

function toneOf({ badge, failure, isUnconfirmed }: ListedPost) {
  if (isUnconfirmed && failure) return 'warning';
  if (badge === 'published') return 'success';
  return badge === 'failed' ? 'danger' : 'info';
}

/** The sentence that is read out; a published post has one while it is watched. */
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

/** Whether there is something to be seen of a post before its reader asks. */
export const hasOutcome = (post: ListedPost) => Boolean(titleOf(post));

type ViewProps = { post: ListedPost; variant: 'secondary' | 'ghost' };

/** Leads to the post on LinkedIn, or to its owner's posts where its address is not known. */
export const View = ({ post, variant }: ViewProps) => (
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

type UnconfirmedProps = {
  post: ListedPost;
  search: string;
  closeTo: string;
  result?: SubmissionResult<string[]>;
};

/** LinkedIn left it open whether it has the post: the user looks, and says so with one of two buttons. */
function Unconfirmed({ post, search, closeTo, result }: UnconfirmedProps) {
  return (
    <>
      <p>
        {post.failure?.isOnLinkedIn} We do not send it again unless you say so.{' '}
        <a href={post.profileUrl} target="_blank" rel="noreferrer" className="link">
          Look at your profile<span className="sr-only"> (opens in a new tab)</span>
        </a>
      </p>
      <div className="mt-3 flex flex-wrap items-end gap-3">
        <ItIsThere post={post} search={search} result={result} />
        <PostAgain post={post} closeTo={closeTo} />
      </div>
    </>
  );
}

function ItIsThere({ post, search, result }: Omit<UnconfirmedProps, 'closeTo'>) {
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
  <PostAct post={post} closeTo={closeTo} verb="again" failure="Failed to publish post" isOnce>
    <SubmitButton variant="secondary" busyLabel="Posting…">
      <RotateCcw aria-hidden size={18} />
      Post it again
      <span className="sr-only"> {aboutPost(post)}</span>
    </SubmitButton>
  </PostAct>
);
