import { ExternalLink, RotateCcw, Send, Trash2 } from 'lucide-react';
import { ActionForm } from '#app/ui/action-form.tsx';
import { StatusBadge } from '#app/ui/badge.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { linkedInAddress } from '../verbs.ts';
import type { ShownTest } from './load.ts';

/** Publishes a short text to the user's connections only, and shows what became of it. */
export function TestCard({ test: { nextAt, post } }: { test: ShownTest }) {
  return (
    <Card
      id="test-post"
      title="Try it with a test post"
      description="A short text that only your LinkedIn connections can see, once a day. It is free, uses no publish time and counts for no plan."
    >
      {post && <Answer post={post} />}
      {nextAt === null ? (
        <ActionForm action={linkedInAddress('test')} preventScrollReset className={post ? 'mt-4' : ''}>
          <SubmitButton variant="secondary" busyLabel="Sending…">
            <Send aria-hidden size={18} />
            Send a test post
          </SubmitButton>
        </ActionForm>
      ) : (
        <p className="mt-3 text-sm text-ink-2">You can send another one from {nextAt}.</p>
      )}
    </Card>
  );
}

type Post = NonNullable<ShownTest['post']>;

/** In words, with the one thing to do next. */
function Answer({ post }: { post: Post }) {
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <StatusBadge status={post.badge} />
      <span className="min-w-0 flex-1 basis-60">{wordsOf(post)}</span>
      {post.url && (
        <a href={post.url} target="_blank" rel="noreferrer" className="btn btn-sm btn-secondary">
          <ExternalLink aria-hidden size={16} />
          View on LinkedIn<span className="sr-only"> (opens in a new tab)</span>
        </a>
      )}
      {post.status === 'published' && (
        <ButtonLink to={`/app/posts?confirm-delete=${post.id}`} size="sm" variant="ghost">
          <Trash2 aria-hidden size={16} />
          Delete it
        </ButtonLink>
      )}
      {post.status === 'failed' && (
        <ButtonLink to="/app/posts" size="sm" variant="secondary">
          <RotateCcw aria-hidden size={16} />
          {post.isUnconfirmed ? 'Decide in Post History' : 'Retry in Post History'}
        </ButtonLink>
      )}
    </div>
  );
}

function wordsOf({ status, at, reason, isHeld, isNext }: Post): string {
  if (status === 'published') {
    return `LinkedIn took it at ${at}: the connection works. Delete it here or on LinkedIn when you have seen it.`;
  }
  if (status === 'failed') return `${reason ?? 'It could not be published'}.`;
  if (isNext) return 'Publishing is paused for everybody for now. It goes out as soon as that ends.';
  return isHeld
    ? 'It is held until LinkedIn is connected.'
    : 'LinkedIn is being asked. The answer shows here by itself.';
}
