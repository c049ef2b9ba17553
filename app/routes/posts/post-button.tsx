import { Check, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { type PostVerb, postAddress } from '#app/routes/actions.ts';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { SubmitButton } from '#app/ui/form/button.tsx';
import type { FailureProps } from '#app/ui/form/failure/use-failure-message.ts';
import type { ListedPost } from './load.ts';
import { aboutPost, useFrom } from './post-parts.tsx';

type PostActionFormProps = FailureProps & {
  post: ListedPost;
  verb: PostVerb;
  closeTo: string;
  className?: string;
  children: ReactNode;
};

/** A form that runs an action on the revision of the post that the user sees, and returns to the list. */
export const PostActionForm = ({ post, verb, closeTo, ...props }: PostActionFormProps) => (
  <ActionForm
    {...props}
    action={postAddress(post.id, verb)}
    fields={{ from: useFrom(closeTo, post), revision: `${post.revision}` }}
    preventScrollReset
  />
);

type PostButtonProps = Omit<PostActionFormProps, 'children'> & {
  icon: LucideIcon;
  label: string;
  busyLabel: string;
  variant?: 'primary' | 'secondary' | 'ghost';
};

export const PostButton = ({
  icon: Icon,
  label,
  busyLabel,
  variant = 'secondary',
  ...props
}: PostButtonProps) => (
  <PostActionForm {...props}>
    <SubmitButton size="sm" variant={variant} busyLabel={busyLabel}>
      <Icon aria-hidden size={16} />
      {label}
      <span className="sr-only"> {aboutPost(props.post)}</span>
    </SubmitButton>
  </PostActionForm>
);

export const ApproveButton = (props: Pick<PostActionFormProps, 'post' | 'closeTo'>) => (
  <PostButton
    {...props}
    verb="approve"
    failure="Failed to approve post"
    variant="primary"
    icon={Check}
    label="Approve"
    busyLabel="Approving…"
  />
);
