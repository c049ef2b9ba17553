import type { SubmissionResult } from '@conform-to/react';
import { ExternalLink } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { Banner } from '#app/ui/page.tsx';
import { Time } from '#app/ui/time.tsx';
import { CureButton } from './cure-button.tsx';
import type { ListedPost } from './load.ts';
import { aboutPost } from './post-parts.tsx';
import { Unconfirmed } from './unconfirmed.tsx';

type OutcomeProps = {
  post: ListedPost;
  search: string;
  closeTo: string;
  result?: SubmissionResult<string[]>;
};

/**
 * What became of a post that was sent, in its place: being published, published, or why it was not and what
 * mends it. It says so politely when that changes.
 */
export function Outcome(props: OutcomeProps) {
  const { post, closeTo, search } = props;
  const said = useFocusOfVanished(post.status);
  const title = titleOf(post);
  if (!title) return null;
  const { failure, isUnconfirmed, status } = post;
  const isBeingMended = post.open === 'edit' && failure?.cure.name === 'edit';
  return (
    <Banner
      tone={toneOf(post)}
      title={
        <span ref={said} role="status" tabIndex={-1} className="block">
          {title}
        </span>
      }
      action={
        <span className="flex flex-wrap items-center gap-2">
          {failure && !isUnconfirmed && !isBeingMended && (
            <CureButton post={post} cure={failure.cure} search={search} closeTo={closeTo} />
          )}
          {status === 'published' && <View post={post} />}
          {status !== 'publishing' && <Dismiss post={post} />}
        </span>
      }
    >
      {status === 'publishing' && 'LinkedIn is being given this post. It cannot be changed meanwhile.'}
      {failure && (isUnconfirmed ? <Unconfirmed {...props} /> : failure.isOnLinkedIn)}
    </Banner>
  );
}

function toneOf({ badge, failure, isUnconfirmed }: ListedPost) {
  if (isUnconfirmed && failure) return 'warning';
  if (badge === 'published') return 'success';
  return badge === 'failed' ? 'danger' : 'info';
}

/** The sentence that is read out; a published post has one while it is watched. */
function titleOf({ status, failure, posted, dismissed }: ListedPost): ReactNode {
  if (status === 'publishing') return 'Publishing…';
  if (failure) return failure.reason;
  if (status !== 'published' || !posted || dismissed === null) return null;
  return (
    <>
      Published <Time {...posted} className="tabular-nums" />
    </>
  );
}

/** Takes the focus that the pressed button had, when the button is gone with the state it stood for. */
function useFocusOfVanished(status: string) {
  const said = useRef<HTMLSpanElement>(null);
  const before = useRef(status);
  useEffect(() => {
    if (before.current !== status && document.activeElement === document.body) {
      said.current?.focus({ preventScroll: true });
    }
    before.current = status;
  }, [status]);
  return said;
}

const View = ({ post }: { post: ListedPost }) => (
  <a href={post.url ?? post.profileUrl} target="_blank" rel="noreferrer" className="btn btn-sm btn-secondary">
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
