import { Check, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { type PostVerb, postAddress } from '#app/routes/actions.ts';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { SubmitButton } from '#app/ui/form/button.tsx';
import type { FailureProps } from '#app/ui/form/failure/use-failure-message.ts';
import type { ListedPost } from './load.ts';
import { aboutPost, useFrom } from './post-parts.tsx';

type PostActProps = FailureProps & {
  post: ListedPost;
  verb: PostVerb;
  closeTo: string;
  className?: string;
  children: ReactNode;
};

/** A form that does something to a post as it reads here, and comes back to its list. */
export const PostAct = ({ post, verb, closeTo, ...props }: PostActProps) => (
  <ActionForm
    {...props}
    action={postAddress(post.id, verb)}
    fields={{ from: useFrom(closeTo, post), revision: `${post.revision}` }}
    preventScrollReset
  />
);

type PostButtonProps = Omit<PostActProps, 'children'> & {
  icon: LucideIcon;
  label: string;
  busyLabel: string;
  variant?: 'primary' | 'secondary' | 'ghost';
};

/** Such a form on the card of the post. */
export const PostButton = ({
  icon: Icon,
  label,
  busyLabel,
  variant = 'secondary',
  ...act
}: PostButtonProps) => (
  <PostAct {...act}>
    <SubmitButton size="sm" variant={variant} busyLabel={busyLabel}>
      <Icon aria-hidden size={16} />
      {label}
      <span className="sr-only"> {aboutPost(act.post)}</span>
    </SubmitButton>
  </PostAct>
);

/** Approves the text that stands here, and no other. */
export const ApproveButton = (place: Pick<PostActProps, 'post' | 'closeTo'>) => (
  <PostButton
    {...place}
    verb="approve"
    failure="Failed to approve post"
    variant="primary"
    icon={Check}
    label="Approve"
    busyLabel="Approving…"
  />
);
