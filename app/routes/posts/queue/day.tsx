import { LoaderCircle, Plus } from 'lucide-react';
import type { ListContext } from '#app/routes/posts/post-parts.tsx';
import type { EntryView } from '#app/routes/posts/present-entry.ts';
import { Badge } from '#app/ui/components/badge.tsx';
import type { Author } from '#app/ui/post/post-preview.tsx';
import { Time } from '#app/ui/time.tsx';
import type { QueuedPost } from './present.ts';
import { QueueLine } from './row.tsx';
import { FillButton } from './slot-rows.tsx';

export type QueuePage = ListContext & { author: Author };
type QueueDayProps = QueuePage & { heading: string; posts: QueuedPost[]; open: EntryView[] };

export function QueueDay({ heading, posts, open, ...page }: QueueDayProps) {
  const lines = [
    ...posts.map((post) => ({
      at: post.publishAt?.iso ?? '',
      item: <QueueLine key={post.id} post={post} {...page} />,
    })),
    ...open.map((slot) => ({
      at: slot.time.iso,
      item: <OpenLine key={slot.key} slot={slot} closeTo={page.closeTo} />,
    })),
  ];
  return (
    <section aria-label={heading} className="mb-3">
      <h2 className="day-heading">{heading}</h2>
      <ul className="lines">{lines.toSorted((a, b) => a.at.localeCompare(b.at)).map(({ item }) => item)}</ul>
    </section>
  );
}

type OpenLineProps = { slot: EntryView; closeTo: string };

function OpenLine({ slot: { key, time, state, title, detail, slot }, closeTo }: OpenLineProps) {
  const isOpen = state === 'open' && slot !== null;
  return (
    <li id={`slot-${key.replace(' ', '-')}`} tabIndex={-1} className="line is-open">
      <div className="line-head">
        <Time {...time} className="line-time" />
        <span className="line-state">
          <Badge icon={isOpen ? Plus : LoaderCircle}>{title}</Badge>
        </span>
        <span className="line-text line-detail">{detail}</span>
      </div>
      {isOpen && (
        <span className="line-acts">
          <FillButton slot={slot} time={time.text} from={closeTo} />
        </span>
      )}
    </li>
  );
}
