import { StatusBadge } from '#app/ui/components/badge.tsx';
import { Time } from '#app/ui/time.tsx';
import type { PostLine } from './present.ts';

export const PostLines = ({ lines }: { lines: PostLine[] }) => (
  <ul className="post-lines">
    {lines.map(({ id, badge, topic, reason, text, at, url }) => (
      <li key={id} className="post-line">
        <Time {...at} className="text-ink-3" />
        <span>
          <StatusBadge status={badge} />
        </span>
        <span className="min-w-0">
          {topic && <span className="text-ink-3">{topic}: </span>}
          {text}
          {reason && <span className="block text-ink-3">{reason}</span>}
          {url && (
            <>
              {' '}
              <a href={url} target="_blank" rel="noopener" className="link">
                On LinkedIn<span className="sr-only"> (opens a new tab)</span>
              </a>
            </>
          )}
        </span>
      </li>
    ))}
  </ul>
);
