import { ExternalLink, RotateCcw, Send, Trash2 } from 'lucide-react';
import { linkedInAddress, postAddress } from '#app/routes/actions.ts';
import { StatusBadge } from '#app/ui/components/badge.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { ConfirmDialog } from '#app/ui/components/dialog.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { CardErrors } from '#app/ui/messages/inline-notices.tsx';
import type { PresentedTest } from './load.ts';
import { ConnectForm } from './profile-card.tsx';

export const TEST_POST = 'test-post';
/** Where what is done about the test is answered. */
const SENDING = { failure: 'Failed to send the test post', isOnce: true, preventScrollReset: true };
const FROM = `/app/linkedin#${TEST_POST}`;

type TestCardProps = { test: PresentedTest; isConnected: boolean };

/** Publishes a short text to the user's connections only, and shows what became of it. */
export function TestCard({ test: { nextAt, whyNotNow, post }, isConnected }: TestCardProps) {
  const isOffered = isConnected && nextAt === null && !post?.canRetry;
  return (
    <Card
      id={TEST_POST}
      title="Try it with a test post"
      description="A short text that only your LinkedIn connections can see, once a day. It is free, uses no publish time and counts for no plan."
    >
      <CardErrors id={TEST_POST} />
      {post && <Answer post={post} />}
      {isOffered && (
        <ActionForm action={linkedInAddress('test')} {...SENDING} className={post ? 'mt-4' : ''}>
          <SubmitButton variant="secondary" busyLabel="Sending…">
            <Send aria-hidden size={18} />
            Send a test post
          </SubmitButton>
        </ActionForm>
      )}
      {nextAt !== null && (
        <p className="mt-3 text-sm text-ink-2">
          {whyNotNow}. You can send another one from {nextAt}.
        </p>
      )}
    </Card>
  );
}

type Post = NonNullable<PresentedTest['post']>;

/** In words, with what there is to do next. */
const Answer = ({ post }: { post: Post }) => (
  <div role="status" className="grid gap-3">
    <p className="flex flex-wrap items-start gap-x-3 gap-y-2">
      <StatusBadge status={post.badge} />
      <span className="min-w-0 flex-1 basis-60">{wordsOf(post)}</span>
    </p>
    <div className="flex flex-wrap items-center gap-2 empty:hidden">
      {post.url && (
        <a href={post.url} target="_blank" rel="noreferrer" className="btn btn-sm btn-secondary">
          <ExternalLink aria-hidden size={16} />
          View on LinkedIn<span className="sr-only"> (opens in a new tab)</span>
        </a>
      )}
      {post.failure && <Cure post={post} cure={post.failure.cure.name} />}
      {(post.status === 'published' || (post.failure && !post.isUnconfirmed)) && <DeleteLink id={post.id} />}
    </div>
  </div>
);

const DeleteLink = ({ id }: { id: string }) => (
  <ButtonLink to={`/app/linkedin?confirm-delete=${id}`} preventScrollReset size="sm" variant="ghost">
    <Trash2 aria-hidden size={16} />
    Delete it
  </ButtonLink>
);

type Cures = NonNullable<Post['failure']>['cure']['name'];

/** What mends a failed test. Its owner decides about one that is not confirmed where every such post is decided. */
function Cure({ post, cure }: { post: Post; cure: Cures }) {
  // Without a connection the button for it stands beside the profile.
  if (cure === 'connect') return post.isConnected && <ConnectForm again />;
  if (cure === 'decide') {
    return (
      <ButtonLink to={`/app/posts?status=failed#post-${post.id}`} size="sm" variant="secondary">
        Decide in Post History
      </ButtonLink>
    );
  }
  cure satisfies 'retry' | 'publish' | 'edit' | 'picture';
  return (
    post.canRetry && (
      <ActionForm action={postAddress(post.id, 'retry')} {...SENDING} fields={{ from: FROM }}>
        <SubmitButton size="sm" variant="secondary" busyLabel="Trying again…">
          <RotateCcw aria-hidden size={16} />
          Retry
        </SubmitButton>
      </ActionForm>
    )
  );
}

/** What its being there tells: of the account that is connected now something only when it went out on that one. */
function wordsOfPublished({ at, deletion }: Post): string {
  if (deletion.kind === 'takesDown') {
    return `LinkedIn took it at ${at}: the connection works. Delete it here or on LinkedIn when you have seen it.`;
  }
  const account =
    deletion.kind === 'elsewhere' ? ' on another account than the one that is connected now' : '';
  return `LinkedIn took it at ${at}${account}. Delete it on LinkedIn when you have seen it.`;
}

function wordsOf(post: Post): string {
  const { status, failure, isConnected, isNext, pause, putOff } = post;
  if (status === 'published') return wordsOfPublished(post);
  if (failure) return `${failure.reason} ${failure.isOnLinkedIn}`;
  if (isNext) return pause ?? 'Publishing is paused for everybody for now. It goes out as soon as that ends.';
  if (!isConnected) return 'It was not sent. It goes out as soon as LinkedIn is connected again.';
  if (putOff) return `${putOff.why} It goes out at ${putOff.at}.`;
  return 'LinkedIn is being asked. The answer shows here by itself.';
}

/** Asks before the test is deleted, and comes back to its card. */
export function DeleteTestDialog({ post, closeTo }: { post: Post; closeTo: string }) {
  const { kind, before, url } = post.deletion;
  return (
    <ConfirmDialog
      failure="Failed to delete post"
      title="Delete this post?"
      body={
        <>
          <p className="mb-3 border-s-2 border-line-strong ps-3 break-words">“{post.content}”</p>
          <p>{before}</p>
          {url && (
            <a href={url} target="_blank" rel="noreferrer" className="link inline-flex min-h-11 items-center">
              Look at LinkedIn<span className="sr-only"> (opens in a new tab)</span>
            </a>
          )}
        </>
      }
      closeTo={closeTo}
      cancelLabel="Keep the post"
      confirmLabel="Delete post"
      action={postAddress(post.id, 'delete')}
      fields={{ from: FROM, ...(kind === 'disconnected' && { hereOnly: 'true' }) }}
    />
  );
}
