import { Pencil, Send } from 'lucide-react';
import { Link } from 'react-router';
import { ButtonLink } from '#app/ui/button.tsx';
import { PostPreview } from '#app/ui/post-preview.tsx';
import { CardErrors } from '#app/ui/standing-errors.tsx';
import { Time } from '#app/ui/time.tsx';
import type { Dashboard } from './load.ts';
import type { Next } from './next.ts';

/** What goes out next, as LinkedIn will show it, with its instant and what can be done about it. */
export function NextOut({ dashboard: { next, zone } }: { dashboard: Dashboard }) {
  if (!next) return null;
  return (
    <section id={`post-${next.id}`} tabIndex={-1} aria-labelledby="next-out" className="next-out">
      <div className="next-out-post">
        <CardErrors id={`post-${next.id}`} />
        <PostPreview {...next} when={`${next.day} ${next.time.text}`} />
      </div>
      <div className="next-out-when">
        <h2 id="next-out" className="text-sm font-medium text-ink-2">
          Next out
        </h2>
        <Time {...next.time} className="font-display text-3xl font-semibold tabular-nums" />
        <p className="text-sm text-ink-2">{next.day}</p>
        <p className="text-sm text-ink-3">{zone}</p>
        <Acts next={next} />
      </div>
    </section>
  );
}

function Acts({ next: { id, isOnItsWay, canEdit, label, topicName } }: { next: Next }) {
  return (
    <>
      <p className="mt-3 text-sm text-ink-2">
        {label}
        {topicName && ` · ${topicName}`}
      </p>
      {!isOnItsWay && (
        <div className="next-out-acts">
          {canEdit && (
            <ButtonLink to={`/app/scheduled?edit=${id}#post-${id}`}>
              <Pencil aria-hidden size={18} />
              Edit
            </ButtonLink>
          )}
          <Link to={`?confirm-publish=${id}`} preventScrollReset className="btn btn-secondary">
            <Send aria-hidden size={18} />
            Publish now
          </Link>
        </div>
      )}
    </>
  );
}
