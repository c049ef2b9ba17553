import { Hash } from 'lucide-react';
import type { ReactNode } from 'react';
import { HOOK_MAX } from '#app/domain/posts/limits.ts';
import { Badge } from '#app/ui/components/badge.tsx';
import { cx } from '#app/ui/cx.ts';

function TopicTag({ children }: { children: ReactNode }) {
  return (
    <Badge tone="brand" icon={Hash}>
      {children}
    </Badge>
  );
}

type PostTopicProps = { topicName: string | null; isTest: boolean };

/** What a post is about, or that it is a test. */
export function PostTopic({ topicName, isTest }: PostTopicProps) {
  if (isTest) return <Badge>Test, for your connections only</Badge>;
  return topicName ? <TopicTag>{topicName}</TopicTag> : <Badge>No topic</Badge>;
}

export type PostTextProps = { text: string; hashtags?: readonly string[]; visibleTags?: number };

/** A post's text with its line breaks; a long one opens in place. Hashtags come without "#". */
export function PostText({ text, hashtags = [], visibleTags = hashtags.length }: PostTextProps) {
  const isLong = text.length > HOOK_MAX || text.split('\n').length > 4;
  const tags = hashtags.slice(0, visibleTags);
  const more = hashtags.length - tags.length;
  return (
    <div className="post-text">
      <p className={cx('post-body', isLong && 'is-long')}>{text}</p>
      {isLong && (
        <details>
          <summary>
            <span className="post-more">…more</span>
            <span className="post-less">Show less</span>
          </summary>
        </details>
      )}
      {tags.length > 0 && (
        <p className="mt-2 flex flex-wrap gap-x-2 font-medium text-brand-ink">
          {tags.map((tag) => (
            <span key={tag}>#{tag}</span>
          ))}
          {more > 0 && <span className="text-ink-3">+{more}</span>}
        </p>
      )}
    </div>
  );
}
