import { ArrowLeftRight, CalendarArrowUp, type LucideIcon, Pencil, RefreshCw, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { PostView } from '#app/domain/posts/present.ts';
import { versionsAddress } from '#app/routes/actions.ts';
import { InlineErrors } from '#app/ui/messages/inline-notices.tsx';
import { useHydrated } from '#app/ui/use-hydrated.ts';
import { OPEN_FORMS } from './params.ts';

type OfPost = { post: PostView; search: string };
type PostLinkProps = OfPost & { opens: string; icon: LucideIcon; isDanger?: boolean; children: ReactNode };

/** A small link under a post that opens a dialog or a form of the page. */
export function PostLink({ post, search, opens, icon: Icon, isDanger, children }: PostLinkProps) {
  return (
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
}

export const EditLink = (props: OfPost) => (
  <PostLink {...props} opens="edit" icon={Pencil}>
    Edit
  </PostLink>
);

/** Leads to the page on which a post is written again, with all its texts. */
export const AgainLink = ({ post }: { post: PostView }) => (
  <Link to={versionsAddress(post.id)} className="btn btn-sm btn-ghost">
    <RefreshCw aria-hidden size={16} />
    Write again
    <span className="sr-only"> {aboutPost(post)}</span>
  </Link>
);

/** Opens the dialog in which a post that waits is given another time. */
export const MoveLink = (props: OfPost) =>
  props.post.canMove && (
    <PostLink {...props} opens="move" icon={CalendarArrowUp}>
      Move to…
    </PostLink>
  );

export const SwapLink = (props: OfPost) =>
  props.post.canSwap && (
    <PostLink {...props} opens="swap" icon={ArrowLeftRight}>
      Swap
    </PostLink>
  );

export const DeleteLink = (props: OfPost) => (
  <PostLink {...props} opens="confirm-delete" icon={Trash2} isDanger>
    Delete
  </PostLink>
);

/** What went wrong with posts that the page does not show. */
export const StrayErrors = ({ posts }: { posts: PostView[] }) => (
  <InlineErrors
    isHere={(at) => at.startsWith('post-') && !posts.some(({ id }) => at === `post-${id}`)}
    className="mb-6"
  />
);

/** What a form of a list answered, when it stands at this post: a refused one is at its own address. */
export function useResultAt<Result>(postId: string, result: Result): Result | undefined {
  const [query] = useSearchParams();
  return OPEN_FORMS.some((name) => query.get(name) === postId) ? result : undefined;
}

/** The first words of a post, to tell the links of one card from those of another. */
export const aboutPost = ({ content }: PostView) => `“${content.slice(0, 40).trim()}”`;

/** What makes a browser without scripts show the post and not the top of the page. */
const useAnchor = ({ id }: { id: string }) => (useHydrated() ? '' : `#post-${id}`);

/** The list to come back to: at the post where the browser loads it anew, as it stands where scripts do not. */
export const useFrom = (closeTo: string, post: { id: string }): string => closeTo + useAnchor(post);

/** The address of a dialog or form at a post, which keeps the page's own parameters. */
export const useAddressAt = (search: string, name: string, post: { id: string }) =>
  `?${search ? `${search}&` : ''}${name}=${post.id}${useAnchor(post)}`;

/** The address of the question before a post is published, which shows one line of the text that is read here. */
export const usePublishAddress = (search: string, post: PostView) =>
  useAddressAt(`${search ? `${search}&` : ''}revision=${post.revision}`, 'confirm-publish', post);
