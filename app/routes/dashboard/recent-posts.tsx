import { ExternalLink } from 'lucide-react';
import { Link } from 'react-router';
import { StatusBadge } from '#app/ui/components/badge.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { PostTopic } from '#app/ui/post/post-card.tsx';
import { BriefPost } from '#app/ui/post/post-summary.tsx';
import { Time } from '#app/ui/time.tsx';
import type { Dashboard } from './load.ts';

type Recent = Dashboard['recent'][number];

export function RecentPosts({ dashboard }: { dashboard: Dashboard }) {
  const { recent: posts, noneRecent, stats, zone, isReady } = dashboard;
  const all = (
    <Link to="/app/posts" className="link -my-3 inline-flex min-h-11 items-center text-sm">
      All posts
    </Link>
  );
  return (
    <Card title="Recent Posts" description={!isReady && zone} actions={stats.totalPosts > 0 && all}>
      {posts.length === 0 ? (
        <p className="text-ink-2">{noneRecent}</p>
      ) : (
        <ul className="divide-y divide-line">
          {posts.map((post) => (
            <RecentPost key={post.id} post={post} />
          ))}
        </ul>
      )}
      {posts.some(({ status, counted }) => status === 'published' && counted === null) && (
        <p className="mt-4 text-sm text-ink-3">
          Likes, comments and shares: not available until you type them in.
        </p>
      )}
    </Card>
  );
}

function RecentPost({ post }: { post: Recent }) {
  const { counted, url } = post;
  return (
    <li className="grid gap-2 py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-2">
        <StatusBadge status={post.badge} />
        <PostTopic {...post} />
        <When when={post.when} />
      </div>
      <BriefPost {...post} />
      {(counted || url) && (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-3">
          {counted && <span>{counted}</span>}
          {url && (
            <a href={url} target="_blank" rel="noreferrer" className="link inline-flex items-center gap-1">
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

function When({ when: { words, at, after, link } }: Pick<Recent, 'when'>) {
  return (
    <span className="text-sm text-ink-3">
      {words} {at && <Time {...at} />} {after}
      {link && (
        <Link to={link.to} className="link">
          {link.label}
        </Link>
      )}
    </span>
  );
}
