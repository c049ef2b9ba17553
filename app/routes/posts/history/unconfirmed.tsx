import type { SubmissionResult } from '@conform-to/react';
import { Check, RotateCcw } from 'lucide-react';
import type { ListedPost } from '#app/routes/posts/load.ts';
import { PostAct } from '#app/routes/posts/post-button.tsx';
import { aboutPost, useAddressAt } from '#app/routes/posts/post-parts.tsx';
import { SubmitButton } from '#app/ui/form/button.tsx';
import { FormPanel, TextField, useFormOf } from '#app/ui/form/form.tsx';

type UnconfirmedProps = {
  post: ListedPost;
  search: string;
  closeTo: string;
  result?: SubmissionResult<string[]>;
};

/** LinkedIn left it open whether it has the post: the user looks, and says so with one of two buttons. */
export function Unconfirmed({ post, search, closeTo, result }: UnconfirmedProps) {
  return (
    <>
      <p>
        {post.failure?.isOnLinkedIn} We do not send it again unless you say so.{' '}
        <a href={post.profileUrl} target="_blank" rel="noreferrer" className="link">
          Look at your profile<span className="sr-only"> (opens in a new tab)</span>
        </a>
      </p>
      <div className="mt-3 flex flex-wrap items-end gap-3">
        <ItIsThere post={post} search={search} result={result} />
        <PostAgain post={post} closeTo={closeTo} />
      </div>
    </>
  );
}

function ItIsThere({ post, search, result }: Omit<UnconfirmedProps, 'closeTo'>) {
  const [form, fields] = useFormOf<{ link: string }>(result, { id: `there-${post.id}` });
  return (
    <FormPanel
      form={form}
      failure="Failed to update post"
      action={useAddressAt(search, 'acknowledge', post)}
      preventScrollReset
      className="contents"
    >
      <TextField
        field={fields.link}
        label="Link to the post (optional)"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        className="w-full"
      />
      <SubmitButton busyLabel="Saving…">
        <Check aria-hidden size={18} />
        It is there
        <span className="sr-only"> {aboutPost(post)}</span>
      </SubmitButton>
    </FormPanel>
  );
}

const PostAgain = ({ post, closeTo }: Pick<UnconfirmedProps, 'post' | 'closeTo'>) => (
  <PostAct post={post} closeTo={closeTo} verb="again" failure="Failed to publish post" isOnce>
    <SubmitButton variant="secondary" busyLabel="Posting…">
      <RotateCcw aria-hidden size={18} />
      Post it again
      <span className="sr-only"> {aboutPost(post)}</span>
    </SubmitButton>
  </PostAct>
);
