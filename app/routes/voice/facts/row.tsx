import { Pencil, Trash2 } from 'lucide-react';
import { Link } from 'react-router';
import { FACT_KINDS } from '#app/domain/voice/limits.ts';
import { Badge } from '#app/ui/components/badge.tsx';
import type { ShownFact } from './present.ts';

type FactLineProps = { fact: ShownFact; search: string };

const countPosts = (count: number) => (count === 1 ? '1 post' : `${count} posts`);

/** One fact: what it says, what it is for, where it was used, and what can be done about it. */
export function FactLine({ fact, search }: FactLineProps) {
  const { id, content, kind, about, given, used } = fact;
  const at = (name: string) => `${search ? `${search}&` : '?'}${name}=${id}`;
  return (
    <li id={`fact-${id}`} tabIndex={-1} className="line fact-line">
      <div className="min-w-0">
        <p className="break-words" dir="auto">
          {content}
        </p>
        <p className="mt-2 flex flex-wrap items-center gap-2 text-sm text-ink-3">
          <Badge>{FACT_KINDS[kind]}</Badge>
          <Badge tone="brand">{about}</Badge>
          <span>{given}</span>
        </p>
        {used > 0 && <Uses fact={fact} />}
      </div>
      <div className="fact-acts">
        <Link to={at('edit')} preventScrollReset className="btn btn-sm btn-ghost">
          <Pencil aria-hidden size={16} />
          Edit<span className="sr-only"> “{content}”</span>
        </Link>
        <Link to={at('confirm-delete')} preventScrollReset title="Delete" className="icon-button">
          <Trash2 aria-hidden size={18} />
          <span className="sr-only">Delete “{content}”</span>
        </Link>
      </div>
    </li>
  );
}

const Uses = ({ fact: { used, posts } }: { fact: ShownFact }) => (
  <details className="text-sm">
    <summary className="fact-opens btn btn-sm btn-ghost -ms-3 text-ink-2">Used in {countPosts(used)}</summary>
    <ul className="fact-posts">
      {posts.map(({ id, beginning }) => (
        <li key={id}>
          <Link to={`/app/posts/${id}`}>
            <span className="min-w-0" dir="auto">
              {beginning}
            </span>
          </Link>
        </li>
      ))}
      {used > posts.length && (
        <li className="py-2 text-ink-3">And {countPosts(used - posts.length)} before.</li>
      )}
    </ul>
  </details>
);
