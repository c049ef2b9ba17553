import { ExternalLink, RotateCcw, Send, Trash2 } from 'lucide-react';
import { linkedInAddress, postAddress } from '#app/routes/actions.ts';
import { StatusBadge } from '#app/ui/components/badge.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { CardErrors } from '#app/ui/messages/inline-notices.tsx';
import { DeletePostDialog } from '#app/ui/post/delete-dialog.tsx';
import type { PresentedTest } from './load.ts';
import { ConnectForm } from './profile-card.tsx';

export const TEST_POST = 'test-post';
const SEND_FORM = { failure: 'Failed to send the test post', isOnce: true, preventScrollReset: true };
const FROM = `/app/linkedin#${TEST_POST}`;

type TestCardProps = { test: PresentedTest; isConnected: boolean };

/** Publishes a short text that only the user's connections see, and shows the result. */
export function TestCard({ test: { nextAt, whyNotNow, post }, isConnected }: TestCardProps) {
  const isOffered = isConnected && nextAt === null && !post?.canRetry;
  return (
    <Card
      id={TEST_POST}
      title="Try it with a test post"
      description="A short text that only your LinkedIn connections can see, once a day. It is free, uses no publish time and counts for no plan."
    >
      <CardErrors id={TEST_POST} />
      {post && <TestResult post={post} />}
      {isOffered && (
        <ActionForm action={linkedInAddress('test')} {...SEND_FORM} className={post ? 'mt-4' : ''}>
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

const TestResult = ({ post }: { post: Post }) => (
  <div role="status" className="grid gap-3">
    <p className="flex flex-wrap items-start gap-x-3 gap-y-2">
      <StatusBadge status={post.badge} />
      <span className="min-w-0 flex-1 basis-60">{describeTest(post)}</span>
    </p>
    <div className="flex flex-wrap items-center gap-2 empty:hidden">
      {post.url && (
        <a href={post.url} target="_blank" rel="noreferrer" className="btn btn-sm btn-secondary">
          <ExternalLink aria-hidden size={16} />
          View on LinkedIn<span className="sr-only"> (opens in a new tab)</span>
        </a>
      )}
      {post.failure && <FixButton post={post} fix={post.failure.cure.name} />}
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

type FixName = NonNullable<Post['failure']>['cure']['name'];

/** The fix for a failed test. An unconfirmed one is decided in the history, like every post. */
function FixButton({ post, fix }: { post: Post; fix: FixName }) {
  // Without a connection the profile card has the button.
  if (fix === 'connect') return post.isConnected && <ConnectForm isReconnect />;
  if (fix === 'decide') {
    return (
      <ButtonLink to={`/app/posts?status=failed#post-${post.id}`} size="sm" variant="secondary">
        Decide in Post History
      </ButtonLink>
    );
  }
  fix satisfies 'retry' | 'publish' | 'edit' | 'picture';
  return (
    post.canRetry && (
      <ActionForm action={postAddress(post.id, 'retry')} {...SEND_FORM} fields={{ from: FROM }}>
        <SubmitButton size="sm" variant="secondary" busyLabel="Trying again…">
          <RotateCcw aria-hidden size={16} />
          Retry
        </SubmitButton>
      </ActionForm>
    )
  );
}

/** A published test proves something about the current connection only if it went out on the same account. */
function describePublished({ at, deletion }: Post): string {
  if (deletion.kind === 'takesDown') {
    return `LinkedIn took it at ${at}: the connection works. Delete it here or on LinkedIn when you have seen it.`;
  }
  const account =
    deletion.kind === 'elsewhere' ? ' on another account than the one that is connected now' : '';
  return `LinkedIn took it at ${at}${account}. Delete it on LinkedIn when you have seen it.`;
}

function describeTest(post: Post): string {
  const { status, failure, isConnected, isNext, pause, putOff } = post;
  if (status === 'published') return describePublished(post);
  if (failure) return `${failure.reason} ${failure.isOnLinkedIn}`;
  if (isNext) return pause ?? 'Publishing is paused for everybody for now. It goes out as soon as that ends.';
  if (!isConnected) return 'It was not sent. It goes out as soon as LinkedIn is connected again.';
  if (putOff) return `${putOff.why} It goes out at ${putOff.at}.`;
  return 'LinkedIn is being asked. The answer shows here by itself.';
}

export const DeleteTestDialog = ({ post, closeTo }: { post: Post; closeTo: string }) => (
  <DeletePostDialog
    excerpt={post.content}
    deletion={post.deletion}
    action={postAddress(post.id, 'delete')}
    closeTo={closeTo}
    from={FROM}
  />
);
