import type { PostView } from '#app/domain/posts/describe.ts';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { postAddress } from '../verbs.ts';

type PostDialogsProps = { publishing?: PostView; deleting?: PostView; closeTo: string };

const openingOf = ({ content }: PostView) => {
  const line = content.split('\n')[0]!;
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
};

/** Asks before a post is published by hand or deleted. */
export function PostDialogs({ publishing, deleting, closeTo }: PostDialogsProps) {
  if (publishing) {
    return (
      <ConfirmDialog
        title="Publish this post now?"
        body={
          <Body post={publishing} text="It goes to LinkedIn at once. It cannot be called back from here." />
        }
        closeTo={closeTo}
        confirmLabel="Publish now"
        tone="neutral"
        action={postAddress(publishing.id, 'publish')}
        fields={{ from: closeTo }}
      />
    );
  }
  if (deleting) {
    const isOnLinkedIn = deleting.status === 'published' && deleting.url !== null;
    return (
      <ConfirmDialog
        title="Delete this post?"
        body={
          <Body
            post={deleting}
            text={
              isOnLinkedIn ? 'This will delete the post from LinkedIn too.' : 'This action cannot be undone.'
            }
          />
        }
        closeTo={closeTo}
        cancelLabel="Keep the post"
        confirmLabel="Delete post"
        action={postAddress(deleting.id, 'delete')}
        fields={{ from: closeTo }}
      />
    );
  }
  return null;
}

function Body({ post, text }: { post: PostView; text: string }) {
  return (
    <>
      <p className="mb-3 border-s-2 border-line-strong ps-3 break-words">“{openingOf(post)}”</p>
      <p>{text}</p>
    </>
  );
}
