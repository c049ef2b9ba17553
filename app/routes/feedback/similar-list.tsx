import { ChevronUp } from 'lucide-react';
import { Link } from 'react-router';
import { Badge } from '#app/ui/components/badge.tsx';
import { FeedbackBadge } from '#app/ui/post/feedback-badge.tsx';
import { openAddress, voteAddress } from './paths.ts';
import type { SimilarEntry } from './present.ts';

/** What stands on the board already. It is inside the form, whose button for a vote sends it elsewhere. */
export const Similar = ({ entries, isAsking }: { entries: SimilarEntry[]; isAsking: boolean }) => (
  <div role="status" className="similar" hidden={entries.length === 0}>
    {entries.length > 0 && (
      <>
        <p className="font-semibold">Is it one of these?</p>
        <p className="text-sm text-ink-2">
          {isAsking
            ? 'Vote for it, or press Submit Feedback once more.'
            : 'A vote says as much as saying it again.'}
        </p>
        <ul>
          {entries.map((entry) => (
            <SimilarLine key={entry.id} entry={entry} />
          ))}
        </ul>
      </>
    )}
  </div>
);

const SimilarLine = ({ entry: { id, title, status, upvotes, hasVoted, isOwn } }: { entry: SimilarEntry }) => (
  <li>
    <span className="min-w-0">
      <Link to={openAddress(id)} target="_blank" className="similar-title" dir="auto">
        {title}
        <span className="sr-only"> (opens in a new tab)</span>
      </Link>
      <span className="flex flex-wrap items-center gap-2 text-sm text-ink-3">
        <FeedbackBadge status={status} />
        {isOwn && <Badge>Yours</Badge>}
        {upvotes === 1 ? '1 vote' : `${upvotes} votes`}
      </span>
    </span>
    {hasVoted ? (
      <span className="text-sm text-ink-2">You voted</span>
    ) : (
      <button
        type="submit"
        formAction={voteAddress(id)}
        formNoValidate
        name="wanted"
        value="up"
        className="btn btn-sm btn-secondary"
      >
        <ChevronUp aria-hidden size={16} />
        Vote<span className="sr-only"> for “{title}”</span>
      </button>
    )}
  </li>
);
