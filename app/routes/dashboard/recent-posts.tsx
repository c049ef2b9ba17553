import { ExternalLink } from 'lucide-react';
import { Link } from 'react-router';
import { StatusBadge } from '#app/ui/badge.tsx';
import { Card } from '#app/ui/card.tsx';
import { PostText, PostTopic } from '#app/ui/post-card.tsx';
import { PostImage } from '#app/ui/post-image.tsx';
import { Time } from '#app/ui/time.tsx';
import type { Dashboard } from './load.ts';

type Recent = Dashboard['recent'][number];

export function RecentPosts({ posts }: { posts: Recent[] }) {
  const all = (
    <Link to="/app/posts" className="link text-sm">
      All posts
    </Link>
  );
  return (
    <Card title="Recent Posts" actions={posts.length > 0 && all}>
      {posts.length === 0 ? (
        <p className="text-ink-2">
          No posts yet. The first ones are written at your content generation time.
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {posts.map((post) => (
            <RecentPost key={post.id} post={post} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function RecentPost({ post }: { post: Recent }) {
  return (
    <li className="grid gap-2 py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-2">
        <StatusBadge status={post.badge} />
        <PostTopic {...post} />
        <span className="text-sm text-ink-3">
          <When post={post} />
        </span>
      </div>
      {post.imageUrl && <PostImage src={post.imageUrl} alt={post.altText} />}
      <PostText text={post.text} />
      {post.status === 'published' && (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-3">
          <span>Likes, comments and shares: not available</span>
          {post.url && (
            <a
              href={post.url}
              target="_blank"
              rel="noreferrer"
              className="link inline-flex items-center gap-1"
            >
              View on LinkedIn
              <ExternalLink aria-hidden size={14} />
              <span className="sr-only"> (opens in a new tab)</span>
            </a>
          )}
        </p>
      )}
    </li>
  );
}

function When({ post }: { post: Recent }) {
  if (post.status === 'published') return <>Published {post.date}</>;
  if (post.badge === 'unconfirmed') {
    return (
      <>
        May be on LinkedIn.{' '}
        <Link to={`/app/posts?status=failed#post-${post.id}`} className="link">
          Decide
        </Link>
      </>
    );
  }
  if (post.status === 'failed') {
    return (
      <>
        Not published.{' '}
        <Link to={`/app/posts?status=${post.badge}`} className="link">
          See why
        </Link>
      </>
    );
  }
  if (post.status === 'publishing') return null;
  if (post.isByHand && !post.isConnected) return <>Not sent: LinkedIn is not connected</>;
  if (post.isNext) return <>Goes out as soon as publishing goes on</>;
  if (post.putOff) {
    return (
      <>
        Not before <Time iso={post.putOff.iso} text={post.putOff.at} />
      </>
    );
  }
  if (!post.publishAt) return <>{post.isByHand ? 'Sent by hand' : 'No slot yet'}</>;
  return (
    <>
      Scheduled for <Time iso={post.publishAt.iso} text={post.publishAt.text} />
    </>
  );
}
