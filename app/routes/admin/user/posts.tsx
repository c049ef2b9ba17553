import { personAddress } from '#app/routes/admin/users/paths.ts';
import { PostLines } from '#app/routes/admin/users/post-list.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { Time } from '#app/ui/time.tsx';
import type { PersonPage } from './present.ts';

/** What waits, what was written, and what became of each attempt. */
export const PersonPosts = ({ id, queue, posts, attempts, nextPosts, isLater }: PersonPage) => (
  <div className="mt-4 grid gap-4">
    <Card title="Queue">
      {queue.length > 0 ? <PostLines lines={queue} /> : <p className="text-ink-3">Nothing waits.</p>}
    </Card>
    <Card id="posts" title="Posts">
      {posts.length > 0 ? <PostLines lines={posts} /> : <p className="text-ink-3">No posts yet.</p>}
      {(nextPosts || isLater) && (
        <nav aria-label="Pages of posts" className="mt-3 flex flex-wrap gap-3">
          {isLater && (
            <ButtonLink to={`${personAddress(id)}#posts`} size="sm" variant="secondary">
              Back to the newest
            </ButtonLink>
          )}
          {nextPosts && (
            <ButtonLink to={`${personAddress(id)}?cursor=${nextPosts}#posts`} size="sm" variant="secondary">
              Earlier ones
            </ButtonLink>
          )}
        </nav>
      )}
    </Card>
    <Card title="Attempts" description="Of the posts above, what was sent to LinkedIn and what it answered.">
      {attempts.length > 0 ? <Attempts attempts={attempts} /> : <p className="text-ink-3">None yet.</p>}
    </Card>
  </div>
);

const Attempts = ({ attempts }: Pick<PersonPage, 'attempts'>) => (
  <ul className="post-lines">
    {attempts.flatMap(({ post, attempts: made }) =>
      made.map(({ id, iso, at, sent, answer, next }) => (
        <li key={id} className="post-line">
          <Time iso={iso} text={at} className="text-ink-3" />
          <span>{sent}</span>
          <span className="min-w-0">
            {post.text}
            <span className="block text-ink-2">
              {[answer ?? 'No answer yet.', next].filter(Boolean).join(' ')}
            </span>
          </span>
        </li>
      )),
    )}
  </ul>
);
