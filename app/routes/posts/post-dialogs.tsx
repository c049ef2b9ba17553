import type { ReactNode } from 'react';
import type { PostView } from '#app/domain/posts/describe.ts';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { postAddress } from '../verbs.ts';
import { useFrom } from './cure-button.tsx';

type PostDialogsProps = { publishing?: PostView; deleting?: PostView; closeTo: string };

const openingOf = ({ content }: PostView) => {
  const line = content.split('\n')[0]!;
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
};

/** Asks before a post is published by hand or deleted. */
export function PostDialogs({ publishing, deleting, closeTo }: PostDialogsProps) {
  if (publishing) return <PublishDialog post={publishing} closeTo={closeTo} />;
  if (deleting) {
    const { before, url } = deleting.deletion;
    return (
      <ConfirmDialog
        title="Delete this post?"
        body={
          <Body post={deleting} text={before}>
            {url && (
              <a href={url} target="_blank" rel="noreferrer" className="link mt-2 inline-block">
                Look at LinkedIn<span className="sr-only"> (opens in a new tab)</span>
              </a>
            )}
          </Body>
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

function PublishDialog({ post, closeTo }: { post: PostView; closeTo: string }) {
  const from = useFrom(closeTo, post);
  return (
    <ConfirmDialog
      title="Publish this post now?"
      body={<Body post={post} text="It goes to LinkedIn at once, whatever its time." />}
      closeTo={closeTo}
      confirmLabel="Publish now"
      tone="neutral"
      action={postAddress(post.id, 'publish')}
      fields={{ from }}
    />
  );
}

type BodyProps = { post: PostView; text: string; children?: ReactNode };

function Body({ post, text, children }: BodyProps) {
  return (
    <>
      <p className="mb-3 border-s-2 border-line-strong ps-3 break-words">“{openingOf(post)}”</p>
      <p>{text}</p>
      {children}
    </>
  );
}
