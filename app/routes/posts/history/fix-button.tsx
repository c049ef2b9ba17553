import { CalendarClock, RotateCcw } from 'lucide-react';
import type { Failure } from '#app/domain/posts/failures.ts';
import type { ListedPost } from '#app/routes/posts/load.ts';
import { PostButton } from '#app/routes/posts/post-button.tsx';
import { aboutPost, useAddressAt } from '#app/routes/posts/post-parts.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';

type FixButtonProps = { post: ListedPost; cure: Failure['cure']; search: string; closeTo: string };

export function FixButton({ post, cure, search, closeTo }: FixButtonProps) {
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

export const RetryButton = ({ label = 'Retry', ...props }: RetryButtonProps) => (
  <PostButton
    {...props}
    verb="retry"
    failure="Failed to retry"
    isOnce
    icon={RotateCcw}
    label={label}
    busyLabel="Trying again…"
  />
);

export const ScheduleButton = (props: { post: ListedPost; closeTo: string }) => (
  <PostButton
    {...props}
    verb="schedule"
    failure="Failed to schedule post"
    icon={CalendarClock}
    label="Schedule again"
    busyLabel="One moment…"
  />
);
