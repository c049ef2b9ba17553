import { Check, RotateCcw } from 'lucide-react';
import { ActionForm } from '#app/ui/action-form.tsx';
import { SubmitButton } from '#app/ui/button.tsx';
import { Banner } from '#app/ui/page.tsx';
import { postAddress } from '../verbs.ts';
import type { PastPost } from './load.ts';
import { aboutPost } from './post-parts.tsx';

type UnconfirmedProps = { post: PastPost; closeTo: string };

/** LinkedIn left it open whether it has the post: the user looks, and says so with one of two buttons. */
export function Unconfirmed({ post, closeTo }: UnconfirmedProps) {
  return (
    <Banner tone="warning" title={`${post.reason}.`}>
      <p>
        It may be on LinkedIn or not. We do not send it again unless you say so.{' '}
        {post.profileUrl && (
          <a href={post.profileUrl} target="_blank" rel="noreferrer" className="link">
            Look at your profile<span className="sr-only"> (opens in a new tab)</span>
          </a>
        )}
      </p>
      <div className="mt-3 flex flex-wrap items-end gap-3">
        <ItIsThere post={post} />
        <PostAgain post={post} closeTo={closeTo} />
      </div>
    </Banner>
  );
}

function ItIsThere({ post }: Pick<UnconfirmedProps, 'post'>) {
  const linkId = `link-${post.id}`;
  return (
    <ActionForm
      action={postAddress(post.id, 'acknowledge')}
      preventScrollReset
      className="flex min-w-0 flex-1 basis-80 flex-wrap items-end gap-3"
    >
      <div className="field min-w-0 flex-1 basis-52">
        <label htmlFor={linkId} className="field-label">
          Link to the post (optional)
        </label>
        <input id={linkId} name="link" inputMode="url" autoComplete="off" className="input" />
      </div>
      <SubmitButton busyLabel="Saving…">
        <Check aria-hidden size={18} />
        It is there
        <span className="sr-only"> {aboutPost(post)}</span>
      </SubmitButton>
    </ActionForm>
  );
}

const PostAgain = ({ post, closeTo }: UnconfirmedProps) => (
  <ActionForm action={postAddress(post.id, 'retry')} fields={{ from: closeTo }} preventScrollReset>
    <SubmitButton variant="secondary" busyLabel="Posting…">
      <RotateCcw aria-hidden size={18} />
      Post it again
      <span className="sr-only"> {aboutPost(post)}</span>
    </SubmitButton>
  </ActionForm>
);
