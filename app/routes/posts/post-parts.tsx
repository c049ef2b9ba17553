import type { SubmissionResult } from '@conform-to/react';
import { ArrowLeftRight, CalendarArrowUp, type LucideIcon, Pencil, RefreshCw, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { PostView } from '#app/domain/posts/present.ts';
import { versionsAddress } from '#app/routes/actions.ts';
import { InlineErrors } from '#app/ui/messages/inline-notices.tsx';
import { useHydrated } from '#app/ui/use-hydrated.ts';
import type { ListedPost } from './load.ts';
import { OPEN_FORMS } from './params.ts';

/** What the parts of a post need to know of the list that shows it. */
export type ListContext = {
  isPlanned: boolean;
  search: string;
  closeTo: string;
  result?: SubmissionResult<string[]>;
};
export type ListedPostProps = ListContext & { post: ListedPost };

type PostLinkTarget = { post: PostView; search: string };
type PostLinkProps = PostLinkTarget & {
  opens: string;
  icon: LucideIcon;
  isDanger?: boolean;
  children: ReactNode;
};

export const PostLink = ({ post, search, opens, icon: Icon, isDanger, children }: PostLinkProps) => (
  <Link
    to={useAddressAt(search, opens, post)}
    preventScrollReset
    className={`btn btn-sm ${isDanger ? 'text-danger-ink hover:bg-danger-soft' : 'btn-ghost'}`}
  >
    <Icon aria-hidden size={16} />
    {children}
    <span className="sr-only"> {aboutPost(post)}</span>
  </Link>
);

export const EditLink = (props: PostLinkTarget) => (
  <PostLink {...props} opens="edit" icon={Pencil}>
    Edit
  </PostLink>
);

export const RewriteLink = ({ post }: { post: PostView }) => (
  <Link to={versionsAddress(post.id)} className="btn btn-sm btn-ghost">
    <RefreshCw aria-hidden size={16} />
    Write again
    <span className="sr-only"> {aboutPost(post)}</span>
  </Link>
);

export const MoveLink = (props: PostLinkTarget) =>
  props.post.canMove && (
    <PostLink {...props} opens="move" icon={CalendarArrowUp}>
      Move to…
    </PostLink>
  );

export const SwapLink = (props: PostLinkTarget) =>
  props.post.canSwap && (
    <PostLink {...props} opens="swap" icon={ArrowLeftRight}>
      Swap
    </PostLink>
  );

export const DeleteLink = (props: PostLinkTarget) => (
  <PostLink {...props} opens="confirm-delete" icon={Trash2} isDanger>
    Delete
  </PostLink>
);

/** Errors of posts that aren't on the page. */
export const StrayErrors = ({ posts }: { posts: PostView[] }) => (
  <InlineErrors
    isHere={(at) => at.startsWith('post-') && !posts.some(({ id }) => at === `post-${id}`)}
    className="mb-6"
  />
);

/** Returns the action result for the post whose form was submitted: a refused form keeps its own URL. */
export function useResultAt<Result>(postId: string, result: Result): Result | undefined {
  const [query] = useSearchParams();
  return OPEN_FORMS.some((name) => query.get(name) === postId) ? result : undefined;
}

/** The first words of a post, which tell screen reader users the cards' links apart. */
export const aboutPost = ({ content }: PostView) => `“${content.slice(0, 40).trim()}”`;

/** Scrolls a browser without scripts to the post. */
const useAnchor = ({ id }: { id: string }) => (useHydrated() ? '' : `#post-${id}`);

export const useFrom = (closeTo: string, post: { id: string }): string => closeTo + useAnchor(post);

export const useAddressAt = (search: string, name: string, post: { id: string }) =>
  `?${search ? `${search}&` : ''}${name}=${post.id}${useAnchor(post)}`;

/** Returns the URL of the dialog that publishes a post, with the revision that the user has read. */
export const usePublishAddress = (search: string, post: PostView) =>
  useAddressAt(`${search ? `${search}&` : ''}revision=${post.revision}`, 'confirm-publish', post);
