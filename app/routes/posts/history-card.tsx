import type { SubmissionResult } from '@conform-to/react';
import { ExternalLink, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { ActionForm } from '#app/ui/action-form.tsx';
import { SubmitButton } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Banner } from '#app/ui/page.tsx';
import { PostText } from '#app/ui/post-card.tsx';
import { PostImage } from '#app/ui/post-image.tsx';
import { Time } from '#app/ui/time.tsx';
import { postAddress } from '../verbs.ts';
import { EditForm } from './edit-form.tsx';
import type { PastPost } from './load.ts';
import { aboutPost, PostLabels, PostLink, withParameter } from './post-parts.tsx';
import { Unconfirmed } from './unconfirmed.tsx';

type HistoryCardProps = {
  post: PastPost;
  isEditing: boolean;
  search: string;
  closeTo: string;
  result?: SubmissionResult<string[]>;
};

const TAGS_SHOWN = 3;

/** One post of the history: what it said, what became of it, where it is. */
export function HistoryCard({ post, isEditing, search, closeTo, result }: HistoryCardProps) {
  const isFailed = post.status === 'failed';
  return (
    <Card as="li" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <PostLabels post={post} />
        <p className="text-sm text-ink-3">{post.date}</p>
      </div>
      {isFailed && post.isUnconfirmed && (
        <Unconfirmed post={post} search={search} closeTo={closeTo} result={result} />
      )}
      {isFailed && !post.isUnconfirmed && <Failed post={post} closeTo={closeTo} />}
      {isEditing ? (
        <EditForm post={post} closeTo={closeTo} result={result} />
      ) : (
        <>
          {post.imageUrl && <PostImage src={post.imageUrl} alt={post.altText} />}
          <PostText text={post.content} hashtags={post.hashtags} visibleTags={TAGS_SHOWN} />
        </>
      )}
      <Attempts attempts={post.attempts} />
      {!isEditing && post.status !== 'publishing' && <Links post={post} search={search} />}
    </Card>
  );
}

function Links({ post, search }: Pick<HistoryCardProps, 'post' | 'search'>) {
  const about = aboutPost(post);
  return (
    <div className="-ms-3 -mb-1 flex flex-wrap items-center gap-1">
      {post.url && (
        <a href={post.url} target="_blank" rel="noreferrer" className="btn btn-sm btn-ghost">
          <ExternalLink aria-hidden size={16} />
          View on LinkedIn
          <span className="sr-only"> (opens in a new tab) {about}</span>
        </a>
      )}
      {post.status !== 'published' && !post.isUnconfirmed && (
        <PostLink to={withParameter(search, 'edit', post.id)} icon={Pencil} about={about}>
          Edit
        </PostLink>
      )}
      <PostLink to={withParameter(search, 'confirm-delete', post.id)} icon={Trash2} about={about} isDanger>
        Delete
      </PostLink>
    </div>
  );
}

function Failed({ post, closeTo }: { post: PastPost; closeTo: string }) {
  return (
    <Banner
      tone="danger"
      title={`${post.reason ?? 'This post could not be published'}.`}
      action={
        <ActionForm action={postAddress(post.id, 'retry')} fields={{ from: closeTo }} preventScrollReset>
          <SubmitButton size="sm" variant="secondary" busyLabel="Trying again…">
            <RotateCcw aria-hidden size={16} />
            Retry
            <span className="sr-only"> {aboutPost(post)}</span>
          </SubmitButton>
        </ActionForm>
      }
    >
      It is not on LinkedIn.
    </Banner>
  );
}

function Attempts({ attempts }: Pick<PastPost, 'attempts'>) {
  if (attempts.length === 0) return null;
  const count = attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`;
  return (
    <details className="text-sm">
      <summary className="w-fit cursor-pointer rounded-sm py-1 font-medium text-ink-2">
        {count} at LinkedIn
      </summary>
      <ol className="mt-1 flex flex-col gap-1.5 border-s-2 border-line ps-3">
        {attempts.map(({ id, iso, at, explanation }) => (
          <li key={id}>
            <Time iso={iso} text={at} className="text-ink-3 tabular-nums" />
            <span className="block">{explanation ?? 'Sent. LinkedIn has not answered yet'}.</span>
          </li>
        ))}
      </ol>
    </details>
  );
}
