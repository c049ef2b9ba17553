import type { PostView } from '#app/domain/posts/present.ts';
import { postAddress } from '#app/routes/actions.ts';
import { ConfirmDialog } from '#app/ui/components/dialog.tsx';

type DeletePostDialogProps = {
  post: Pick<PostView, 'id' | 'deletion'>;
  excerpt: string;
  closeTo: string;
  from: string;
};

export function DeletePostDialog({ post, excerpt, closeTo, from }: DeletePostDialogProps) {
  const { kind, before, url } = post.deletion;
  return (
    <ConfirmDialog
      failure="Failed to delete post"
      title="Delete this post?"
      body={
        <>
          <p className="mb-3 border-s-2 border-line-strong ps-3 break-words">“{excerpt}”</p>
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
      fields={{ from, ...(kind === 'disconnected' && { hereOnly: 'true' }) }}
    />
  );
}
