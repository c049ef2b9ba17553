import { Hash } from 'lucide-react';
import { HOOK_MAX } from '#app/domain/posts/limits.ts';
import { Badge } from '#app/ui/components/badge.tsx';
import { cx } from '#app/ui/cx.ts';

type PostTopicProps = { topicName: string | null; isTest: boolean };

export function PostTopic({ topicName, isTest }: PostTopicProps) {
  if (isTest) return <Badge>Test, for your connections only</Badge>;
  if (!topicName) return <Badge>No topic</Badge>;
  return (
    <Badge tone="brand" icon={Hash}>
      {topicName}
    </Badge>
  );
}

export type PostTextProps = { text: string; hashtags?: readonly string[]; visibleTags?: number };

/** `hashtags` are without "#". */
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
