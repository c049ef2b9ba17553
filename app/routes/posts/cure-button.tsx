import { CalendarClock, RotateCcw } from 'lucide-react';
import type { Failure } from '#app/domain/posts/failures.ts';
import { ActionForm } from '#app/ui/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/button.tsx';
import { postAddress } from '../verbs.ts';
import type { ListedPost } from './load.ts';
import { aboutPost, useAddressAt, useAnchor } from './post-parts.tsx';

type CureButtonProps = { post: ListedPost; cure: Failure['cure']; search: string; closeTo: string };

/** The one button that mends a failed post. */
export function CureButton({ post, cure, search, closeTo }: CureButtonProps) {
  const { name, label } = cure;
  const edit = useAddressAt(search, 'edit', post);
  if (name === 'retry' && !post.canRetry) return null;
  if (name === 'retry' || name === 'publish') {
    return <RetryButton post={post} closeTo={closeTo} label={label} variant="secondary" />;
  }
  if (name !== 'connect') name satisfies 'edit' | 'picture' | 'decide';
  const to = name === 'connect' ? '/app/linkedin' : edit;
  return (
    <ButtonLink to={to} size="sm" variant="secondary" preventScrollReset={name !== 'connect'}>
      {name === 'connect' && post.isConnected ? 'Connect again' : label}
      <span className="sr-only"> {aboutPost(post)}</span>
    </ButtonLink>
  );
}

type RetryButtonProps = {
  post: ListedPost;
  closeTo: string;
  label?: string;
  variant: 'secondary' | 'ghost';
};

export function RetryButton({ post, closeTo, label = 'Retry', variant }: RetryButtonProps) {
  const from = useFrom(closeTo, post);
  return (
    <ActionForm
      action={postAddress(post.id, 'retry')}
      failure="Failed to retry"
      isOnce
      fields={{ from }}
      preventScrollReset
    >
      <SubmitButton size="sm" variant={variant} busyLabel="Trying again…">
        <RotateCcw aria-hidden size={16} />
        {label}
        <span className="sr-only"> {aboutPost(post)}</span>
      </SubmitButton>
    </ActionForm>
  );
}

/** Gives a post that was set aside the next free time. */
export const ScheduleButton = ({ post, closeTo }: { post: ListedPost; closeTo: string }) => (
  <ActionForm
    action={postAddress(post.id, 'schedule')}
    failure="Failed to schedule post"
    fields={{ from: useFrom(closeTo, post) }}
    preventScrollReset
  >
    <SubmitButton size="sm" variant="secondary" busyLabel="One moment…">
      <CalendarClock aria-hidden size={16} />
      Schedule again
      <span className="sr-only"> {aboutPost(post)}</span>
    </SubmitButton>
  </ActionForm>
);

/** The list to come back to: at the post where the browser loads it anew, as it stands where scripts do not. */
export const useFrom = (closeTo: string, post: { id: string }): string => closeTo + useAnchor(post);
