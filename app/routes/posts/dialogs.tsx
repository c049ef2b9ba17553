import type { PostView } from '#app/domain/posts/present.ts';
import { linkedInAddress, postAddress } from '#app/routes/actions.ts';
import type { Moving } from '#app/routes/posts/move/load.ts';
import { MoveDialog } from '#app/routes/posts/move/move.lazy.ts';
import { ConfirmDialog } from '#app/ui/components/dialog.tsx';
import { DeletePostDialog } from '#app/ui/post/delete-dialog.tsx';
import { useFrom } from './post-parts.tsx';

type PostDialogsProps = {
  publishing?: PostView;
  deleting?: PostView;
  moving?: Moving | null;
  isConnected?: boolean;
  sentWhile?: string | null;
  closeTo: string;
};

const openingOf = ({ content }: PostView) => {
  const line = content.split('\n')[0]!;
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
};

export function PostDialogs(props: PostDialogsProps) {
  const { publishing, deleting, moving, isConnected, sentWhile, closeTo } = props;
  if (moving) return <MoveDialog moving={moving} closeTo={closeTo} />;
  if (publishing && !isConnected) return <ConnectDialog post={publishing} closeTo={closeTo} />;
  if (publishing) return <PublishDialog post={publishing} sentWhile={sentWhile} closeTo={closeTo} />;
  if (!deleting) return null;
  return (
    <DeletePostDialog
      excerpt={openingOf(deleting)}
      deletion={deleting.deletion}
      action={postAddress(deleting.id, 'delete')}
      closeTo={closeTo}
      from={closeTo}
    />
  );
}

const CONNECT_FIRST =
  'Connect LinkedIn first, then publish this post. It keeps its place in the queue until then.';

const ConnectDialog = ({ post, closeTo }: { post: PostView; closeTo: string }) => (
  <ConfirmDialog
    failure="Failed to initiate LinkedIn connection"
    title="LinkedIn is not connected"
    body={<Body post={post} text={CONNECT_FIRST} />}
    closeTo={useFrom(closeTo, post)}
    confirmLabel="Connect LinkedIn"
    tone="neutral"
    action={linkedInAddress('connect')}
  />
);

const PUBLISHES_NOW = 'It goes to LinkedIn at once, whatever its time.';

/** `sentWhile`: what happens to the post while publishing is stopped for all users. */
type PublishDialogProps = { post: PostView; sentWhile?: string | null; closeTo: string };

function PublishDialog({ post, sentWhile, closeTo }: PublishDialogProps) {
  const from = useFrom(closeTo, post);
  return (
    <ConfirmDialog
      failure="Failed to publish post"
      isOnce
      title="Publish this post now?"
      body={
        <Body
          post={post}
          text={sentWhile ? `${sentWhile} It does not wait for its own time.` : PUBLISHES_NOW}
        />
      }
      closeTo={from}
      confirmLabel="Publish now"
      tone="neutral"
      action={postAddress(post.id, 'publish')}
      fields={{ from, revision: `${post.revision}` }}
    />
  );
}

const Body = ({ post, text }: { post: PostView; text: string }) => (
  <>
    <p className="mb-3 border-s-2 border-line-strong ps-3 break-words">“{openingOf(post)}”</p>
    <p>{text}</p>
  </>
);
